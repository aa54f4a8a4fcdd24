import { expect, it } from 'vitest';

import { region } from '../for_tests';
import { thread_section, work_section } from './work';

it('work says what was spilled, where the file knows it', () => {
  const pairs = (bytes: object) => work_section(region({ bytes, flops: { total: 1, terms: [] } }), 'counted')?.pairs.map(({ name, value }) => [name, value]);
  expect(pairs({ loaded: 1, spilled: { read: 4096, written: 2048 } })).toEqual(
    [['all', '1.00 Flop'], ['registers spilled to the stack', '2.05 kB'], ['fetched back from the stack', '4.10 kB']]);
  expect(pairs({ loaded: 1 })).toEqual([['all', '1.00 Flop']]);
});

it('threads stand beside the busiest, by flops where there are any, else by bytes', () => {
  const work = (thread: number, flops: number, bytes: number) => ({ thread, flops, bytes, iterations: 1 });
  const bars = (...of: ReturnType<typeof work>[]) =>
    thread_section(region({ thread_work: of }))?.tables[0]?.rows.map((row) => row.slice(1, 3).map((cell) => (typeof cell === 'string' ? undefined : cell.bar)));
  expect(bars(work(0, 10, 8), work(1, 5, 8))).toEqual([[1, undefined], [0.5, undefined]]);
  expect(bars(work(0, 0, 2), work(1, 0, 8))).toEqual([[undefined, 0.25], [undefined, 1]]);
  expect(thread_section(region({}))).toBeUndefined();
});
