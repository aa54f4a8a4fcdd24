// Logarithmic axes: their extent and their ticks.
import { scaleLog } from 'd3-scale';

export interface Axis {
  low: number;
  high: number;
}

export interface Tick {
  value: number;
  major: boolean;
  label: string;
}

/// Ends of every axis: no rate and no intensity comes near them, and every power of ten that ticks need
/// is a normal number.
export const kLeastDrawn = 1e-30;
export const kMostDrawn = 1e30;
const kMostTicks = 400;

/// Position in pixels of a value; `range` = pixels of low and high.
export type Scale = ((value: number) => number) & { invert: (pixel: number) => number };

export function log_scale(axis: Axis, range: [number, number]): Scale {
  const scale = scaleLog().domain([axis.low, axis.high]).range(range);
  const position = (value: number) => scale(value);
  return Object.assign(position, { invert: (pixel: number) => scale.invert(pixel) });
}

/// The largest of 1, 2, 5 times a power of ten that is not above `value`.
export function snap_down(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  return ([10, 5, 2].find((step) => value * (1 + 1e-9) >= step * decade) ?? 1) * decade;
}

function tick_label(value: number): string {
  if (value >= 0.999e-4 && value < 99999) {
    return String(Number(value.toPrecision(6)));
  }
  const exponent = Math.floor(Math.log10(value) + 1e-9);
  return `${Number((value / 10 ** exponent).toPrecision(3))}e${exponent}`;
}

/// 1, 2 ... 9 of every decade, labelled at 1, 2 and 5 where there is room: `labels` at most.
export function decade_ticks(axis: Axis, unit: number, labels: number): Tick[] {
  const decades = Math.log10(axis.high / axis.low);
  const all = decades * 3 <= labels;
  const every = Math.max(1, Math.ceil(decades / Math.max(labels, 1)));
  const first = Math.floor(Math.log10(axis.low / unit) + 1e-9);
  const last = Math.ceil(Math.log10(axis.high / unit) - 1e-9);
  const ticks: Tick[] = [];
  if (!(last - first <= kMostTicks)) {
    return ticks; // an address may ask for any axis
  }
  for (let exponent = first; exponent <= last; exponent++) {
    for (let step = 1; step <= (decades <= 8 ? 9 : 1); step++) {
      const value = step * 10 ** exponent;
      if (value * unit >= axis.low * (1 - 1e-9) && value * unit <= axis.high * (1 + 1e-9)) {
        const labelled = step === 1 ? exponent % every === 0 : all && (step === 2 || step === 5);
        ticks.push({ value: value * unit, major: step === 1, label: labelled ? tick_label(value) : '' });
      }
    }
  }
  return ticks;
}

/// Powers of two, every one labelled or every n-th.
export function binary_ticks(axis: Axis, unit: number, labels: number): Tick[] {
  const first = Math.ceil(Math.log2(axis.low / unit) - 1e-9);
  const last = Math.floor(Math.log2(axis.high / unit) + 1e-9);
  const every = Math.max(1, Math.ceil((last - first + 1) / Math.max(labels, 1)));
  const ticks: Tick[] = [];
  if (!(last - first <= kMostTicks)) {
    return ticks;
  }
  for (let exponent = first; exponent <= last; exponent++) {
    const value = 2 ** exponent;
    const labelled = exponent % every === 0;
    const label = exponent < 0 && exponent >= -10 ? `1/${2 ** -exponent}` : tick_label(value);
    ticks.push({ value: value * unit, major: labelled, label: labelled ? label : '' });
  }
  return ticks;
}

export function ticks(axis: Axis, unit: number, labels: number, log2: boolean): Tick[] {
  return log2 ? binary_ticks(axis, unit, labels) : decade_ticks(axis, unit, labels);
}

/// Smallest and largest of the values seen that an axis can show.
export class Extent {
  low = Infinity;
  high = 0;

  include(value: number | undefined): void {
    if (value !== undefined && value >= kLeastDrawn && value <= kMostDrawn) {
      this.low = Math.min(this.low, value);
      this.high = Math.max(this.high, value);
    }
  }

  get empty(): boolean {
    return this.high === 0;
  }
}

/// The axis moved and stretched: `factor` < 1 zooms in around `centre`.
export function zoomed(axis: Axis, centre: number, factor: number): Axis {
  return {
    low: centre * (axis.low / centre) ** factor,
    high: centre * (axis.high / centre) ** factor,
  };
}

export function panned(axis: Axis, fraction: number): Axis {
  const shift = (axis.high / axis.low) ** fraction;
  return { low: axis.low * shift, high: axis.high * shift };
}
