// Numbers as Ridge prints them everywhere: three digits and SI prefixes (src/render/chart/format_si.hpp).
// Unknown is "-", never 0.
import { format } from 'd3-format';

export const kUnknown = '-';

const three_digits = format('.3s');
const kPrefixed = /^([\d.]+)([a-zA-Zµ]?)$/;

function exponent_text(size: number): string {
  return size.toExponential(2).replace('e+', 'e');
}

/// "12.3 GFlop/s"; with an empty unit "12.3 G".
export function si(value: number | undefined, unit: string): string {
  if (value === undefined || !Number.isFinite(value)) {
    return kUnknown;
  }
  if (value === 0) {
    return unit === '' ? '0' : `0 ${unit}`;
  }
  const sign = value < 0 ? '-' : '';
  const size = Math.abs(value);
  const parts = size >= 0.9995e-24 && size < 999.5e24 ? kPrefixed.exec(three_digits(size)) : null;
  if (parts === null) {
    return `${sign}${exponent_text(size)}${unit === '' ? '' : ' '}${unit}`;
  }
  const prefix = (parts[2] ?? '').replace('µ', 'u');
  return unit === '' && prefix === '' ? `${sign}${parts[1]}` : `${sign}${parts[1]} ${prefix}${unit}`;
}

/// A pure number with three digits: "0.123", "12.3", "1.23e5".
export function number(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) {
    return kUnknown;
  }
  if (value === 0) {
    return '0';
  }
  const size = Number(Math.abs(value).toPrecision(3));
  if (size < 1e-3 || size >= 1e4) {
    return exponent_text(size);
  }
  const digits_before = Math.floor(Math.log10(size) + 1e-12) + 1;
  return (Math.sign(value) * size).toFixed(Math.min(5, Math.max(0, 3 - digits_before)));
}

export function percent(fraction: number | undefined, decimals = 0): string {
  return fraction === undefined || !Number.isFinite(fraction)
    ? kUnknown
    : `${(fraction * 100).toFixed(decimals)} %`;
}

/// Of the time, with its interval: "0.8 % (0.7 % to 0.9 %)".
export function unattributed(time: { unattributed_fraction: number; unattributed_low?: number; unattributed_high?: number }): string {
  const ends = time.unattributed_high === undefined ? '' : ` (${percent(time.unattributed_low, 1)} to ${percent(time.unattributed_high, 1)})`;
  return percent(time.unattributed_fraction, 1) + ends;
}

/// "32 KiB"
export function binary_size(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  while (bytes >= 1024 && unit + 1 < units.length) {
    bytes /= 1024;
    unit += 1;
  }
  return `${Number(bytes.toPrecision(4))} ${units[unit]}`;
}

/// The prefix that suits values up to `value`: ["G", 1e9].
export function si_prefix(value: number): [string, number] {
  const symbols = ['y', 'z', 'a', 'f', 'p', 'n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
  if (!Number.isFinite(value) || value <= 0) {
    return ['', 1];
  }
  const group = Math.min(8, Math.max(-8, Math.floor(Math.log10(value) / 3 + 1e-9)));
  return [symbols[group + 8] ?? '', 10 ** (3 * group)];
}

/// Units of the file as people read them.
export function rate_unit(unit: string): string {
  return { 'flop/s': 'Flop/s', 'byte/s': 'B/s', 'intop/s': 'IntOp/s', 'op/s': 'Op/s' }[unit] ?? unit;
}
