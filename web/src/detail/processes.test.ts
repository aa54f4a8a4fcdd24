import { expect, it } from 'vitest';

import { process_table } from './processes';

const text = (cell: string | { text: string }) => (typeof cell === 'string' ? cell : cell.text);

it('ranks in their order, with what each did', () => {
  const rows = process_table([
    { argv: ['mpirun', '-n', '2', './a'], cpu_seconds: 0.5 },
    { argv: ['./a'], rank: 1, cpu_seconds: 2, flops: 4e9 },
    { argv: ['./a'], rank: 0, cpu_seconds: 1 },
  ])?.rows;
  expect(rows?.map((row) => row.map(text))).toEqual([
    ['mpirun -n 2 ./a', '500 ms', '-', '-'],
    ['rank 0: ./a', '1.00 s', '-', '-'],
    ['rank 1: ./a', '2.00 s', '4.00 GFlop', '2.00 GFlop/s'],
  ]);
});

it('one process, and those without a time, need no table', () => {
  expect(process_table([{ argv: ['./a'], cpu_seconds: 2 }])).toBeUndefined();
  expect(process_table([{ argv: ['./a'] }, { argv: ['./a'] }])).toBeUndefined();
});
