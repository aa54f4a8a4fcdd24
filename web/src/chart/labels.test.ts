import { describe, expect, it } from 'vitest';

import { overlap, spread_apart, Taken } from './labels';

describe('labels', () => {
  it('stand apart, in order, within the frame', () => {
    let state = 7;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    for (let round = 0; round < 200; round++) {
      const wanted = Array.from({ length: 1 + Math.floor(random() * 8) }, () => 200 * random());
      const placed = spread_apart(wanted, 14, 0, 200);
      const sorted = [...placed].sort((a, b) => a - b);
      sorted.slice(1).forEach((value, index) => expect(value - (sorted[index] ?? 0)).toBeGreaterThanOrEqual(14 - 1e-9));
      expect(sorted[0]).toBeGreaterThanOrEqual(-1e-9);
      expect(sorted.at(-1)).toBeLessThanOrEqual(200 + 1e-9);
    }
  });

  it('stay where they want to be when nothing is near', () => {
    expect(spread_apart([100, 10, 50], 14, 0, 200)).toEqual([100, 10, 50]);
    expect(spread_apart([], 14, 0, 200)).toEqual([]);
  });

  it('take the first place that is free', () => {
    const box = (x: number) => ({ x, y: 0, width: 10, height: 10 });
    const inside = { x: 0, y: 0, width: 100, height: 100 };
    const taken = new Taken(inside);
    taken.take(box(0));
    const place = (x: number) => ({ boxes: [box(x)] });
    expect(taken.first([place(-5), place(5), place(20)])).toEqual(place(20));
    expect(taken.first([place(15), { boxes: [box(40), box(91)] }])).toBeUndefined();
    expect(taken.first([place(40)])).toEqual(place(40));
    expect(overlap(box(0), box(10))).toBe(false);
  });
});
