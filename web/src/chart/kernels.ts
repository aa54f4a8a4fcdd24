// Where familiar kernels lie on the axis of intensity: fp64, streamed from memory once, a written
// line read first (write-allocate). Each range follows from the flops and bytes beside it.

export interface FamiliarKernel {
  name: string;
  low: number; // flop/byte
  high: number;
  why: string;
}

export const kFamiliarKernels: readonly FamiliarKernel[] = [
  { name: 'triad', low: 2 / 32, high: 2 / 24, why: '2 flop in 32 byte, 24 without write-allocate' },
  { name: 'SpMV', low: 2 / 20, high: 2 / 12, why: '2 flop per non-zero in 12 to 20 byte (CSR)' },
  { name: 'stencil', low: 4 / 24, high: 13 / 24, why: '4 (5-point) to 13 flop (7-point with factors) in 24 byte' },
  { name: 'FFT', low: 0.7, high: 2.2, why: '5 log2(n) flop in 32 to 64 byte, n = 2^9 to 2^14' },
  { name: 'blocked GEMM', low: 8, high: 64, why: 'blocks of 64 to 512: b/8 flop per byte' },
];
