import { describe, expect, it } from 'vitest';

import { decode_view, encode_view, kDefaultView, type View } from './view';

describe('the view in the address', () => {
  it('is empty until something is chosen', () => {
    expect(encode_view({ ...kDefaultView })).toBe('');
    expect(decode_view('')).toEqual(kDefaultView);
  });

  it('comes back as it was', () => {
    const view: View = {
      results: [0, 2], machines: [1], threads: 2, precision: 'fp32', axis: 'L2', hidden_levels: ['L1', 'a,b\\c&d=#'],
      hidden_ceilings: ['compute.fp64.avx512.fma.t1'], limits: false, measured: false, kernels: false, log2: true, intops: true,
      inclusive: true, min_share: 0.5, query: 'jacobi ü <x> % & #', file: '/a b/c.cpp', finding: 'narrow-vectors', work: 'flops',
      selected: '0.17', tab: 'nest', sort: 'name', columns: ['share', 'i.L1'], theme: 'dark', zoom: [0.1, 10, 1e9, 1e11],
    };
    expect(decode_view(`#${encode_view(view)}`)).toEqual(view);
  });

  it('of an older page leads to what it showed', () => {
    expect(decode_view('#tab=moves')).toEqual({ ...kDefaultView, work: 'none' });
  });

  it('is the default wherever the address makes no sense', () => {
    for (const fragment of ['#tab=x', '#zoom=1,2,3', '#zoom=2,1,1,2', '#zoom=a,b,c,d', '#min=-3', '#min=x', '#log2=yes', '#theme=pink', '#work=some', '#results=x', '#%E0%A4%A', '#=', '#&&']) {
      expect(decode_view(fragment), fragment).toEqual(kDefaultView);
    }
  });
});
