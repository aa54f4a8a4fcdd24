// What a chart counts: floating-point operations, or integer operations in their place.
import type { Figures, LevelFigures } from './rows';

export interface Units {
  rate: string;
  per_byte: string;
}

export function units_of(intops: boolean): Units {
  return intops ? { rate: 'intop/s', per_byte: 'intop/byte' } : { rate: 'Flop/s', per_byte: 'flop/byte' };
}

/// The same figures with integer operations for flops. The level that binds stays: it is that of the time.
export function as_integers(figures: Figures): Figures {
  const { amount, performance, spread } = figures.integers;
  const levels: Record<string, LevelFigures> = {};
  for (const [level, at] of Object.entries(figures.levels)) {
    const { bytes } = at;
    levels[level] = {
      ...at,
      intensity: amount > 0 && bytes !== undefined && bytes > 0 ? amount / bytes : undefined,
      unbounded: bytes === 0 && amount > 0,
    };
  }
  return { ...figures, performance, spread, levels };
}
