import { expect, it } from 'vitest';

import type { Profile } from '../data/page';
import { library_table } from './libraries';

const text = (cell: string | { text: string }) => (typeof cell === 'string' ? cell : cell.text);

const profile = {
  regions: [
    { id: 0, kind: 'program', name: 'a', threads: 1 },
    { id: 3, kind: 'function', name: 'solve', file: 'src/lu.c', line: 12 },
  ],
  machine: {
    ceilings: [
      { kind: 'compute', precision: 'fp64', threads: 1, value: { p90: 40e9 } },
      { kind: 'compute', precision: 'fp64', threads: 2, value: { p90: 80e9 } },
    ],
  },
  library_calls: [
    { name: 'dgemm', sizes: '64 x 64 x 64', region: 3, calls: 60, flops: 20e9, seconds: 1 },
    { name: 'dgemm', sizes: '64 x 64 x 64', calls: 60, flops: 10e9, seconds: 0.5 },
    { name: 'sgemm', sizes: '8 x 8 x 8', region: 3, calls: 1, flops: 40e9, seconds: 1 },
    { name: 'fftw_execute', region: 3, calls: 5, seconds: 0.25 },
  ],
} as unknown as Profile;

it('calls of the same sizes are summed and held against the roof of their precision', () => {
  expect(library_table(profile)?.rows.map((row) => row.map(text))).toEqual([
    ['dgemm 64 x 64 x 64', '120', '1.50 s', '20.0 GFlop/s', '50 %', 'solve (lu.c:12)'],
    ['sgemm 8 x 8 x 8', '1', '1.00 s', '40.0 GFlop/s', '-', 'solve (lu.c:12)'],
    ['fftw_execute', '5', '250 ms', '-', '-', 'solve (lu.c:12)'],
  ]);
});

it('without calls there is no table', () => {
  expect(library_table({ ...profile, library_calls: [] })).toBeUndefined();
});
