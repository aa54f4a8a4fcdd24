import { expect, it, vi } from 'vitest';

import { deflateSync } from 'node:zlib';

import { is_part, joined, missing, unpacked } from './parts';

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

const rest = ',{"name":"é < \u2028"}\n,2\n';
const packed = deflateSync(rest).toString('base64');

it('the other part is unpacked as Ridge wrote it', async () => {
  expect(await unpacked(packed)).toBe(rest);
});

it('a packed part that ends too early is no document', async () => {
  for (const length of [0, 4, 9, packed.length - 8]) {
    await expect(unpacked(packed.slice(0, length)), `${length}`).rejects.toThrow('cut off');
  }
  await expect(unpacked(packed.replace(/^../, 'AA'))).rejects.toThrow('cut off');
});

it('a browser that cannot unpack is named as what is in the way', async () => {
  vi.stubGlobal('DecompressionStream', undefined);
  await expect(unpacked(packed)).rejects.toThrow('this browser cannot unpack');
  vi.unstubAllGlobals();
});
