import { describe, expect, it } from 'vitest';
import { checkLeftBehind } from './left-behind.ts';
import type { ChangedLines } from '../work.ts';

function lines(path: string, texts: readonly string[], removed: readonly string[] = []): ChangedLines {
  return { path, added: texts.map((text, at) => ({ line: at + 1, text })), removed };
}

const kinds = (path: string, ...texts: string[]): string[] =>
  checkLeftBehind([lines(path, texts)]).map(({ kind }) => kind);

describe('a hole in new code', () => {
  it.each<[path: string, line: string]>([
    ['a.ts', '// TODO: implement'],
    ['a.ts', '  // TODO implement the parser'],
    ['a.ts', 'function f() { // TODO(me): add the logic'],
    ['a.py', '    # FIXME: fill this in'],
    ['a.lisp', ';;;; TODO: implement'],
    ['a.py', '################ TODO: implement'],
    ['a.ts', '// ... rest of the code unchanged'],
    ['a.ts', '// ... rest of the code ...'],
    ['a.ts', '// … existing code …'],
    ['a.ts', '/* ... other methods ... */'],
    ['a.py', '# rest of the file remains the same'],
    ['a.py', '# The rest of your code here'],
    ['a.ts', '// Existing implementation stays unchanged'],
    ['a.ts', '// ... (same as before)'],
    ['a.html', '<!-- remaining code goes here -->'],
    ['a.ts', '// code omitted for brevity'],
    ['a.ts', '// your code here'],
    ['a.ts', '// Add your logic here'],
    ['a.ts', '// implementation goes here'],
    ['a.ts', '// insert code here'],
    ['a.ts', '// placeholder'],
    ['a.ts', '// Placeholder implementation'],
    ['a.ts', '// This is just a placeholder for now'],
    ['a.ts', '// stub'],
    ['a.ts', 'return []; // dummy data'],
    ['a.ts', '// In a real implementation, this would call the service'],
    ['a.ts', '// In a real app we would check the token'],
    ['a.ts', '// Not implemented.'],
    ['a.ts', "throw new Error('Not implemented');"],
    ['a.ts', "return Promise.reject(new Error('not yet implemented'));"],
    ['a.py', '    raise NotImplementedError'],
    ['a.py', "    raise NotImplementedError('later')"],
    ['A.cs', 'throw new NotImplementedException();'],
    ['A.java', 'throw new UnsupportedOperationException("Not implemented");'],
    ['a.rs', '    todo!()'],
    ['a.rs', 'unimplemented!("later")'],
    ['a.go', 'panic("not implemented")'],
    ['a.kt', 'TODO("Not yet implemented")'],
    ['a.swift', 'fatalError("not implemented")'],
    ['a.tsx', '<p>Lorem ipsum dolor sit amet</p>'],
    ['a.md', 'Lorem ipsum dolor sit amet'],
    ['a.md', 'Written by [Your Name]'],
    ['a.md', '[Insert description here]'],
    ['a.json', '"name": "<placeholder>"'],
    ['a.yaml', 'name: <INSERT NAME>'],
    ['a.test.ts', '// TODO: implement'],
    ['a.test.ts', '// ... rest of the tests ...'],
  ])('%s: %s', (path, line) => {
    expect(kinds(path, line)).toEqual(['placeholder']);
  });

  it.each<[path: string, line: string]>([
    ['a.ts', '// TODO: speed this up'],
    ['a.ts', 'const { a, ...rest } = props;'],
    ['a.ts', '// ...rest is passed to the element'],
    ['a.ts', 'the rest of the code'],
    ['a.ts', '// The rest of the file is written by the generator'],
    ['a.ts', 'input.placeholder = "Your text here";'],
    ['a.tsx', '<input placeholder="Your message here" />'],
    ['a.tsx', '<Placeholder />'],
    ['a.tsx', '<Placeholder>'],
    ['a.css', 'input[placeholder] { color: red }'],
    ['a.ts', '// Placeholder text of the field'],
    ['a.ts', "throw new Error('todo not found');"],
    ['a.ts', 'addTodo(todo("milk"));'],
    ['a.ts', 'const first = list[todo];'],
    ['a.ts', 'expect(501).toBe("Not Implemented");'],
    ['a.ts', 'respond(501, "Not Implemented");'],
    ['a.ts', '// not implemented by Safari, so the long way'],
    ['a.md', 'Replace <placeholder> by your key'],
    ['a.md', 'TODO: implement the importer'],
    ['a.md', '[your account](https://example.org)'],
    ['a.md', '// your code here'],
    ['.env.example', 'KEY=<placeholder>'],
    ['templates/a.ts', '// your code here'],
    ['a.test.ts', "throw new Error('not implemented');"],
    ['a.test.ts', '// dummy data'],
    ['a.test.ts', 'lorem ipsum dolor'],
    ['a.ts', '// the size of the lorem ipsum text'],
    ['a.ts', '// stub method that is replaced below'],
    ['a.ts', `const text = "  // TODO: implement";`],
    ['a.ts', `const text = "throw new Error('not implemented')";`],
    ['a.test.ts', `['a.ts', '  // TODO: implement'],`],
    ['package-lock.json', '"lorem ipsum dolor": "<placeholder>"'],
    ['a.ts', `${'x'.repeat(500)} // TODO: implement`],
  ])('is not %s: %s', (path, line) => {
    expect(kinds(path, line)).toEqual([]);
  });

  it('is none where a method is there to be overridden', () => {
    expect(kinds('a.py', 'class Shape(ABC):', '    raise NotImplementedError')).toEqual([]);
    expect(kinds('a.py', 'class BaseShape:', '    raise NotImplementedError')).toEqual([]);
    expect(kinds('a.py', 'class Circle:', '    raise NotImplementedError')).toEqual(['placeholder']);
  });

  it('is none where the line was there before, elsewhere', () => {
    const moved = [
      lines('old.ts', [], ['// TODO: implement', '<<<<<<< HEAD']),
      lines('new.ts', ['  // TODO: implement', '<<<<<<< HEAD']),
    ];
    expect(checkLeftBehind(moved)).toEqual([]);
  });
});

describe('a merge that was not finished', () => {
  it.each<[texts: string[], isFound: boolean]>([
    [['<<<<<<< HEAD', 'a', '=======', 'b', '>>>>>>> other'], true],
    [['>>>>>>> other'], true],
    [['||||||| base'], true],
    [['<<<<<<<\r', 'a', '=======\r', 'b', '>>>>>>>\r'], true],
    [['Title', '======='], false],
    [['<<<<<<<'], false],
    [['<<<<<<<< eight'], false],
    [['> <<<<<<< quoted'], false],
    [['>>> code'], false],
  ])('%j: %j', (texts, isFound) => {
    expect(kinds('a.md', ...texts)).toEqual(isFound ? ['conflict-markers'] : []);
  });
});

it('says where', () => {
  const found = checkLeftBehind([
    lines('a.ts', ['x', '// your code here']),
    lines('b.ts', ['<<<<<<< HEAD', '// your code here', '// your code here']),
  ]);
  expect(found).toEqual([
    { kind: 'conflict-markers', rejects: false, fact: 'conflict markers left at b.ts:1', paths: ['b.ts'] },
    {
      kind: 'placeholder',
      rejects: false,
      fact: 'placeholders left at a.ts:2, b.ts:2, b.ts:3',
      paths: ['a.ts', 'b.ts'],
    },
  ]);
});
