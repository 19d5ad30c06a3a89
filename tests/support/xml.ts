/**
 * A strict reader of the small part of XML a brief is made of: elements, attributes in double quotes, text, and the five
 * named entities. Everything else, comments and numeric entities included, is refused.
 */
export interface XmlElement {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** What XML 1.0 allows in a document; half a surrogate pair is not in it. */
const allowed = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;

function unescape(text: string): string {
  if (text.includes(']]>')) throw new Error('"]]>" stands in text');
  return text.replace(/&([a-z]*)(;?)/g, (whole, name: string, end: string) => {
    const character = entities.get(name);
    if (character === undefined || end === '') throw new Error(`${whole} is not one of the five entities`);
    return character;
  });
}

class Reader {
  private at = 0;
  private readonly xml: string;

  constructor(xml: string) {
    this.xml = xml;
  }

  document(): XmlElement {
    if (!allowed.test(this.xml)) throw new Error('a character that XML does not allow');
    const root = this.element();
    if (this.at !== this.xml.length) throw new Error(`something follows the root element: ${this.xml.slice(this.at)}`);
    return root;
  }

  private take(pattern: RegExp, what: string): RegExpExecArray {
    const sticky = new RegExp(pattern, 'y');
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.xml);
    if (match === null) throw new Error(`expected ${what} at ${this.at}: ${this.xml.slice(this.at, this.at + 40)}`);
    this.at = sticky.lastIndex;
    return match;
  }

  private element(): XmlElement {
    const [, name = '', list = '', end] = this.take(/<([a-z][a-z-]*)((?: [a-z]+="[^"<]*")*)(\/?)>/, 'a start tag');
    const attributes = list
      .matchAll(/ ([a-z]+)="([^"]*)"/g)
      .map(([, key = '', value = '']) => [key, unescape(value)] as const);
    const element = { name, attributes: [...attributes], children: [] as XmlElement[], text: '' };
    const names = element.attributes.map(([key]) => key);
    if (new Set(names).size !== names.length) throw new Error(`an attribute is given twice: ${names.join(' ')}`);
    if (end === '/') return element;
    while (!this.xml.startsWith('</', this.at)) {
      if (this.xml[this.at] === '<') element.children.push(this.element());
      else element.text += unescape(this.take(/[^<]+/, 'text')[0]);
    }
    const [, closed] = this.take(/<\/([a-z-]+)>/, 'an end tag');
    if (closed !== name) throw new Error(`${name} is ended by ${closed}`);
    return element;
  }
}

/** The one element a text consists of; throws when the text is anything else. */
export function parseXml(xml: string): XmlElement {
  return new Reader(xml).document();
}
