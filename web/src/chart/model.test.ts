import { describe, expect, it } from 'vitest';

import { compute_lines, roofs, threads_for } from '../data/ceilings';
import type { Machine } from '../data/page';
import { all_results } from '../data/rows';
import { ceiling, page, profile, region, seconds } from '../for_tests';
import { filter_rows } from '../view/filter';
import { kDefaultView } from '../view/view';
import { above_sentences } from './above';
import { chart_model, type Dot } from './model';
import { dot_words } from './words';

const kCeilings = [
  ceiling('compute.fp64.avx512.fma.t1', 100e9), ceiling('compute.fp64.avx2.fma.t1', 95e9), ceiling('compute.fp64.scalar.fma.t1', 12e9),
  ceiling('compute.fp64.scalar.div.t1', 1e9), ceiling('compute.fp32.avx512.fma.t1', 200e9), ceiling('compute.fp64.avx512.fma.t4', 400e9),
  ceiling('bandwidth.L1.load.avx2.t1', 400e9), ceiling('bandwidth.L1.load.avx512.t1', 800e9), ceiling('bandwidth.L1.copy.avx512.t1', 900e9),
  ceiling('bandwidth.DRAM.store.avx2.t1', 10e9, { traffic_value: { ...ceiling('bandwidth.DRAM.store.avx2.t1', 20e9).value } }),
];
const hot = region({
  id: 1, name: 'hot', file: '/x/a.cpp', line: 3, time_seconds: { self: seconds(5) }, flops: { total: 1e10, fp64: 1e10, terms: [] }, performance: 2e9,
  bytes: { loaded: 1e9, stored: 0 }, traffic: { L2: { read: 1e7, written: 0 }, DRAM: { read: 0, written: 0 } }, intensity: { L2: 1000 }, unbounded: ['DRAM'],
});
const idle = region({ id: 2, name: 'copy', time_seconds: { self: seconds(1) }, bytes: { loaded: 1e9, stored: 1e9 } });

function model(change: Partial<typeof kDefaultView> = {}) {
  const document = page(profile([hot, idle], kCeilings));
  const results = all_results(document);
  const rows = results.flatMap((result) => result.rows);
  return chart_model({ page: document, results, rows, figures: (row) => row.self, view: { ...kDefaultView, ...change } });
}

describe('ceilings', () => {
  const machine = profile([], kCeilings).machine;

  it('are the highest and lower ones that stand apart', () => {
    expect(compute_lines(machine, 'fp64', 1).map((line) => line.rate)).toEqual([100e9, 12e9]);
    expect(compute_lines(machine, 'fp32', 1).map((line) => line.rate)).toEqual([200e9]);
    expect(compute_lines(machine, 'fp16', 1)).toEqual([]);
  });

  it('of bandwidth are loads where there are any, across the boundary where that is known', () => {
    expect(roofs(machine, ['L1', 'L2', 'DRAM'], 1).map((roof) => [roof.level, roof.rate])).toEqual([['L1', 800e9], ['DRAM', 20e9]]);
  });

  it('are those of the next lower thread count that was measured', () => {
    expect([1, 2, 3, 4, 99, 0].map((wanted) => threads_for(machine, wanted))).toEqual([1, 1, 1, 4, 4, 1]);
  });
});

describe('the chart', () => {
  it('has a dot per level, an unbounded one without a place', () => {
    const [mark] = model().marks;
    expect(mark?.dots.map((dot) => [dot.level, dot.x])).toEqual([['L1', 10], ['L2', 1000], ['DRAM', undefined]]);
    expect(model({ axis: 'L2' }).marks[0]?.dots.length).toBe(1);
    expect(model({ hidden_levels: ['L1', 'L2', 'DRAM'] }).marks.length).toBe(0);
  });

  it('shows every level of the three hottest, and the one that binds of the others', () => {
    const ceilings = kCeilings.filter((of) => of.level !== 'DRAM');
    const loops = [5, 4, 3, 2, 1].map((value, id) => region({ ...hot, id: id + 1, unbounded: [], time_seconds: { self: seconds(value / 5) }, bytes: { loaded: 1e9, stored: 0 },
      traffic: { L2: { read: 4e8, written: 0 } }, intensity: { L2: 25 }, bound: id === 0 ? { code: { ceiling: 'bandwidth.L2.load.avx2.t1', unit: 'flop/s', attainable: 1 } } : undefined }));
    const document = page(profile(loops, ceilings));
    const results = all_results(document);
    const of = (axis: string) => chart_model({ page: document, results, rows: results.flatMap((result) => result.rows), figures: (row) => row.self, view: { ...kDefaultView, axis } }).marks;
    expect(of('').map((mark) => [mark.main.level, mark.expanded])).toEqual([['L2', true], ['L1', true], ['L1', true], ['L1', false], ['L1', false]]);
    expect(of('all').every((mark) => mark.expanded)).toBe(true);
    expect(of('L2').map((mark) => [mark.dots.length, mark.expanded])).toEqual(Array.from({ length: 5 }, () => [1, false]));
  });

  it('gives regions below 1 % of the time no say in its axes', () => {
    const loops = [...Array.from({ length: 12 }, (_, id) => region({ ...hot, id: id + 1, time_seconds: { self: seconds(0.5) } })),
      region({ ...hot, id: 20, time_seconds: { self: seconds(0.05) }, performance: 1e6 })];
    const document = page(profile(loops, kCeilings));
    const results = all_results(document);
    const { marks, specks, y } = chart_model({ page: document, results, rows: results.flatMap((result) => result.rows), figures: (row) => row.self, view: kDefaultView });
    expect([marks.length, specks.map((speck) => speck.row.region.id)]).toEqual([12, [20]]);
    expect(y.low).toBeGreaterThan(1e7);
  });

  it('counts integer operations where the reader wants them', () => {
    const in_ops = (id: string, p90: number) => {
      const made = ceiling(id, p90);
      return { ...made, value: { ...made.value, unit: 'op/s' as const } };
    };
    const ceilings = [...kCeilings, in_ops('compute.int8.avx512.dot.t1', 900e9), in_ops('compute.int32.avx512.add.t1', 120e9), in_ops('compute.int64.avx512.add.t1', 60e9),
      in_ops('compute.int64.avx512.mul.t1', 30e9), in_ops('compute.int64.scalar.add.t1', 15e9), in_ops('compute.int32.scalar.add.t1', 15.1e9)];
    const hash = region({
      id: 7, name: 'hash', time_seconds: { self: seconds(2) }, intops: 6e9, bytes: { loaded: 1e9, stored: 0 }, traffic: { L2: { read: 0, written: 0 } },
    });
    const sleeps = region({ ...hash, id: 8, bound: { verdict: { code: 'asleep', text: '' } } });
    const document = page(profile([hot, hash, sleeps], ceilings));
    const results = all_results(document);
    const of = (intops: boolean) =>
      chart_model({ page: document, results, rows: results.flatMap((result) => result.rows), figures: (row) => row.self, view: { ...kDefaultView, intops } });
    const counted = of(true);
    expect(counted.lines[0]?.compute.map((line) => line.ceiling.id)).toEqual(
      ['compute.int32.avx512.add.t1', 'compute.int64.avx512.add.t1', 'compute.int64.avx512.mul.t1', 'compute.int64.scalar.add.t1']);
    expect(counted.marks.map((mark) => mark.row.name)).toEqual(['hash']);
    expect(counted.marks[0]?.dots.map((dot) => [dot.level, dot.x, dot.y])).toEqual([['L1', 6, 3e9], ['L2', undefined, 3e9]]);
    expect(dot_words(counted.marks[0]?.main as Dot, false, counted.intops).join('\n')).toContain('3.00 Gintop/s');
    expect(above_sentences(document, [document.results[0]?.profile.machine as Machine], counted)[0]).toContain('32 and 64 bits');
    const usual = of(false);
    expect(usual.marks.map((mark) => mark.row.name)).toEqual(['hot']);
    expect(usual.lines[0]?.compute.every((line) => line.ceiling.precision === 'fp64')).toBe(true);
    const without = page(profile([hash], kCeilings));
    const rows = all_results(without);
    const none = chart_model({ page: without, results: rows, rows: rows.flatMap((result) => result.rows), figures: (row) => row.self, view: { ...kDefaultView, intops: true } });
    expect(above_sentences(without, [without.results[0]?.profile.machine as Machine], none)[0]).toContain('ridge bench');
  });

  it('sums the integer operations of inner loops', () => {
    const outer = region({ id: 1, kind: 'function', intops: 1e9, time_seconds: { self: seconds(1), inclusive: seconds(3) } });
    const inner = region({ id: 2, parent: 1, intops: 5e9, time_seconds: { self: seconds(2) } });
    const result = all_results(page(profile([outer, inner], kCeilings)))[0];
    const row = result?.by_id.get(1);
    expect(row === undefined ? undefined : result?.inclusive(row).integers).toMatchObject({ amount: 6e9, performance: 2e9 });
  });

  it('leaves regions without work to their own list', () => {
    expect(model().marks.map((mark) => mark.row.name)).toEqual(['hot']);
  });

  it('holds every dot but one far beyond every ridge, with roofs that go on beyond', () => {
    const { x, y, lines } = model();
    expect(x.low).toBeLessThan(10);
    expect(x.high).toBeGreaterThan(10);
    expect(x.high).toBeLessThan(1000);
    expect(y.low).toBeLessThan(2e9);
    expect(y.high).toBeGreaterThan(lines[0]?.compute[0]?.rate ?? Infinity);
  });

  it('leaves out ceilings by name', () => {
    const shown = model({ hidden_ceilings: ['compute.fp64.avx512.fma.t1'] }).lines[0]?.compute;
    expect(shown?.map((line) => line.rate)).toEqual([12e9]);
  });
});

describe('the filter', () => {
  const [result] = all_results(page(profile([hot, idle], kCeilings)));
  const names = (filter: Partial<typeof kDefaultView>) =>
    filter_rows(result?.rows ?? [], { ...kDefaultView, ...filter }, (row) => row.self).map((row) => row.name);

  it('takes words in any order, places, shares, files', () => {
    expect(names({})).toEqual(['hot', 'copy']);
    expect(names({ query: 'A.CPP:3 hot' })).toEqual(['hot']);
    expect(names({ query: 'hot copy' })).toEqual([]);
    expect(names({ min_share: 20 })).toEqual(['hot']);
    expect(names({ file: '/x/a.cpp' })).toEqual(['hot']);
    expect(names({ finding: 'none' })).toEqual([]);
  });
});
