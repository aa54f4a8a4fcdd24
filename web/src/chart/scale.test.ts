import { describe, expect, it } from 'vitest';

import { binary_ticks, decade_ticks, Extent, log_scale, panned, snap_down, zoomed } from './scale';

describe('a logarithmic axis', () => {
  it('puts equal ratios at equal distances, and back', () => {
    const scale = log_scale({ low: 0.01, high: 100 }, [0, 400]);
    expect([0.01, 0.1, 1, 10, 100].map((value) => Math.round(scale(value)))).toEqual([0, 100, 200, 300, 400]);
    expect(scale.invert(300)).toBeCloseTo(10);
    expect(log_scale({ low: 1, high: 10 }, [100, 0])(10)).toBeCloseTo(0);
  });

  it('is labelled at 1, 2 and 5', () => {
    const labels = decade_ticks({ low: 0.1, high: 10 }, 1, 12).map((tick) => tick.label).filter(Boolean);
    expect(labels).toEqual(['0.1', '0.2', '0.5', '1', '2', '5', '10']);
  });

  it('has fewer labels where there is little room', () => {
    const labels = decade_ticks({ low: 1e-3, high: 1e9 }, 1, 6).map((tick) => tick.label).filter(Boolean);
    expect(labels.length).toBeLessThanOrEqual(7);
    expect(labels).toContain('1');
  });

  it('counts in its unit', () => {
    const ticks = decade_ticks({ low: 1e9, high: 1e11 }, 1e9, 20);
    expect(ticks.filter((tick) => tick.major).map((tick) => tick.label)).toEqual(['1', '10', '100']);
  });

  it('can go by powers of two', () => {
    const labels = binary_ticks({ low: 0.25, high: 8 }, 1, 12).map((tick) => tick.label);
    expect(labels).toEqual(['1/4', '1/2', '1', '2', '4', '8']);
  });

  it('ends whatever its ends are', () => {
    const extremes = [0, -0, 5e-324, 2.2e-308, 1e-31, 1, 1e31, Number.MAX_VALUE, Infinity, NaN, -1];
    for (const low of extremes) {
      for (const high of extremes) {
        for (const unit of [1e-24, 1, 1e24]) {
          expect(decade_ticks({ low, high }, unit, 12).length).toBeLessThan(4000);
          expect(binary_ticks({ low, high }, unit, 12).length).toBeLessThan(4000);
        }
      }
    }
  });

  it('leaves out what no axis can show', () => {
    const extent = new Extent();
    [0, -0, 5e-324, Number.MAX_VALUE, Infinity, NaN, undefined].forEach((value) => extent.include(value));
    expect(extent.empty).toBe(true);
    extent.include(2);
    expect([extent.low, extent.high]).toEqual([2, 2]);
  });

  it('snaps, zooms and moves', () => {
    expect([0.3, 1, 4.9, 5, 99].map(snap_down).map((value) => Number(value.toPrecision(3)))).toEqual([0.2, 1, 2, 5, 50]);
    const inner = zoomed({ low: 1, high: 100 }, 10, 0.5);
    expect([inner.low, inner.high].map((value) => Number(value.toPrecision(4)))).toEqual([3.162, 31.62]);
    expect(panned({ low: 1, high: 100 }, 0.5).low).toBeCloseTo(10);
  });

  it('leaves out what it cannot show', () => {
    const extent = new Extent();
    [0, -1, NaN, Infinity, undefined].forEach((value) => extent.include(value));
    expect(extent.empty).toBe(true);
    extent.include(3);
    expect([extent.low, extent.high]).toEqual([3, 3]);
  });
});
