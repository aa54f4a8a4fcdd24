import { expect, it } from 'vitest';

import { is_part, joined, missing } from './parts';

it('a document in two parts is the one that was written', () => {
  const first = '{"a":[1\n\n,4],"b":[5\n]}';
  expect(is_part(first)).toBe(true);
  expect(missing(first)).toBe(3);
  expect(joined(first, ',2\n,3\n,"\\n"\n')).toBe('{"a":[1,2,3,4],"b":[5,"\\n"]}');
});

it('a document in one part needs no other', () => {
  expect(is_part('{"a":"\\n"}')).toBe(false);
  expect(missing('{}')).toBe(0);
  expect(joined('{}', '')).toBe('{}');
});

it('a part that ends too early is no document', () => {
  expect(() => joined('[1\n\n]', ',2\n,')).toThrow('cut off');
  expect(() => joined('[1\n\n]', '')).toThrow('cut off');
});
