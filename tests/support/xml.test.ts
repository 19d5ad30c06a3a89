/** The reader of the tests must itself refuse what is not well-formed, or the tests above it prove nothing. */
import { describe, expect, it } from 'vitest';
import { parseXml } from './xml.ts';

describe('what is read', () => {
  it('elements, attributes, text and entities', () => {
    expect(parseXml('<a x="1 &lt; &quot;2&quot;" y=""><b>c &amp; d</b><b/></a>')).toEqual({
      name: 'a',
      attributes: [
        ['x', '1 < "2"'],
        ['y', ''],
      ],
      children: [
        { name: 'b', attributes: [], children: [], text: 'c & d' },
        { name: 'b', attributes: [], children: [], text: '' },
      ],
      text: '',
    });
  });
});

describe('what is refused', () => {
  it.each([
    ['nothing', ''],
    ['a second root', '<a/><a/>'],
    ['text around', '<a/> '],
    ['no end', '<a><b></b>'],
    ['crossed ends', '<a><b></a></b>'],
    ['a bare &', '<a>x & y</a>'],
    ['an entity without its end', '<a>&amp</a>'],
    ['an unknown entity', '<a>&nbsp;</a>'],
    ['a numeric entity', '<a>&#60;</a>'],
    ['a comment', '<a><!-- x --></a>'],
    ['CDATA', '<a><![CDATA[x]]></a>'],
    ['the end of CDATA', '<a>]]></a>'],
    ['< in an attribute', '<a x="<"/>'],
    ['single quotes', "<a x='1'/>"],
    ['an attribute twice', '<a x="1" x="2"/>'],
    ['a control character', '<a>\u0001</a>'],
    ['half a surrogate pair', '<a>\uD83C</a>'],
    ['U+FFFF', '<a>\uFFFF</a>'],
  ])('%s', (_what, xml) => {
    expect(() => parseXml(xml)).toThrow(Error);
  });
});
