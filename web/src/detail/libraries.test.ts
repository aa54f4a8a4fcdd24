import { expect, it } from 'vitest';

import type { Profile } from '../data/page';
import { counted_libraries, library_table } from './libraries';

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

const code = (name: string, flops?: number, more = {}) => ({ id: 9, kind: 'function', name, flops: flops === undefined ? undefined : { total: flops }, ...more });

/// 1003 flops counted in OpenBLAS, 1000 by the formulas; no FFTW.
const solver = {
  origins: { flops: 'counted' },
  regions: [
    code('solve', 2000, { kind: 'program' }),
    code('dgemm_kernel_HASWELL in libopenblasp-r0.3.21.so', 900),
    code('libopenblasp-r0.3.21.so+0x1b40', 100),
    code('dgemm_kernel_SKYLAKEX in libopenblasp-r0.3.21.so'),
    code('dgetrf_ in liblapack.so.3', 3),
    code('exp in libm.so.6', 500),
    code('in libblas.so.3', 7, { overlaps: true }),
  ],
  library_calls: [{ name: 'dgemm', flops: 600 }, { name: 'dgetrf', flops: 400 }],
} as unknown as Profile;
const calls = (...more: object[]) => [...(solver.library_calls ?? []), ...more] as Profile['library_calls'];

it('what was counted in libraries stands beside the formulas', () => {
  expect(counted_libraries(solver)).toEqual(['BLAS and LAPACK: 1.00 kFlop counted in libopenblasp-r0.3.21.so, liblapack.so.3, 0.3 % more than by the formulas (modelled)']);
  expect(counted_libraries({ ...solver, library_calls: [] })).toEqual([]);
  expect(counted_libraries({ ...solver, origins: { ...solver.origins, flops: 'modelled' } })).toEqual([]);
});

it('of a part of the processes nothing is compared', () => {
  const [program, kernel, ...others] = solver.regions;
  if (program === undefined || kernel === undefined) {
    throw new Error('no regions');
  }
  expect(counted_libraries({ ...solver, regions: [program, { ...kernel, partial: true }, ...others] })).toEqual([]);
  expect(counted_libraries({ ...solver, regions: [program, { ...kernel, notes: [{ code: 'work-of-some-ranks', text: '' }] }, ...others] })).toEqual([]);
  expect(counted_libraries({ ...solver, regions: [{ ...program, flops: undefined }, kernel, ...others] })).toEqual([]);
});

it('calls without a formula are named', () => {
  expect(counted_libraries({ ...solver, library_calls: calls({ name: 'dgemm_batch' }) })[0]).toMatch(/; no formula for all calls of dgemm_batch$/);
});

it('transforms stand apart, but for a library that serves both', () => {
  const library_calls = calls({ name: 'fftw_plan' }, { name: 'fftw_execute', flops: 500 });
  const with_library = (name: string, flops: number) => counted_libraries({ ...solver, library_calls, regions: [...solver.regions, code(name, flops)] as Profile['regions'] });
  expect(with_library('n1_64 in libfftw3.so.3', 450)[1]).toBe('FFTW: 450 Flop counted in libfftw3.so.3, planning included, 10.0 % less than by the formulas (modelled)');
  expect(with_library('in libmkl_avx2.so.2', 497)).toEqual([
    'BLAS, LAPACK and FFTW: 1.50 kFlop counted in libopenblasp-r0.3.21.so, libmkl_avx2.so.2, liblapack.so.3, planning included, as many as by the formulas (modelled)']);
});
