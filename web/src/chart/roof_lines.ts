// Where the lines of a machine and their labels lie.
import type { ComputeLine, Roof } from '../data/ceilings';
import type { Estimate } from '../data/page';
import { rate_unit, si } from '../format';
import { ceiling_words } from '../names';
import type { Frame } from './frame';
import { text_width } from './frame';
import { spread_apart } from './labels';
import type { MachineLines } from './model';
import type { Axis } from './scale';

export interface Line {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export interface Slope {
  title: string;
  roof: Roof;
  line: Line;
  limit?: Line;
  text: string; // of its label
}

export interface Level {
  title: string;
  compute: ComputeLine;
  line: Line;
  limit?: Line;
  label: { x: number; y: number; text: string }; // right of the plot, where there is room
  roof: boolean; // the highest
}

const kLabelSize = 12;

function title_of(id: string, estimate: Estimate, unit: string, limit: number | undefined): string {
  const value = (number: number) => si(number, unit);
  const theory = limit === undefined ? '' : `; theoretical limit ${value(limit)}`;
  return `${id}: p90 ${value(estimate.p90)}, median ${value(estimate.median)}, 80 % of ${estimate.samples} samples from ${value(estimate.low)} to ${value(estimate.high)}, ${estimate.origin}${theory}`;
}

/// P = I * rate from the left or lower edge up to `top`.
function slope(rate: number, top: number, frame: Frame, x: Axis, y: Axis): Line | undefined {
  const from = Math.max(x.low, y.low / rate);
  const to = Math.min(x.high, Math.min(top, y.high) / rate);
  return from < to
    ? { x1: frame.x(from), y1: frame.y(from * rate), x2: frame.x(to), y2: frame.y(to * rate) }
    : undefined;
}

function flat(rate: number, fastest: number, frame: Frame, x: Axis, y: Axis): Line | undefined {
  const from = Math.max(x.low, fastest > 0 ? rate / fastest : x.low);
  return from < x.high && rate >= y.low && rate <= y.high
    ? { x1: frame.x(from), y1: frame.y(rate), x2: frame.right, y2: frame.y(rate) }
    : undefined;
}

export function slopes(lines: MachineLines, frame: Frame, x: Axis, y: Axis, suffix: string): Slope[] {
  const top = lines.compute[0]?.rate ?? y.high;
  const limit_top = lines.compute[0]?.limit ?? top;
  return lines.roofs.flatMap((roof) => {
    const line = slope(roof.rate, top, frame, x, y);
    const limit = roof.limit === undefined ? undefined : slope(roof.limit, limit_top, frame, x, y);
    const { ceiling } = roof;
    const title = title_of(ceiling.id, ceiling.traffic_value ?? ceiling.value, 'B/s', roof.limit);
    const text = `${roof.level}${suffix} ${si(roof.rate, 'B/s')}`;
    return line === undefined ? [] : [{ roof, line, limit, title, text }];
  });
}

/// Of integers as the axis has it.
function unit_of({ ceiling }: ComputeLine): string {
  return ceiling.value.unit === 'op/s' ? 'intop/s' : rate_unit(ceiling.value.unit);
}

function level_text(compute: ComputeLine, suffix: string): string {
  return `${ceiling_words(compute.ceiling.id)}${suffix} ${si(compute.rate, unit_of(compute))}`;
}

/// Room that the longest label takes.
export function labels_width(machines: readonly MachineLines[], suffix: (index: number) => string): number {
  const widths = machines.flatMap((lines, index) =>
    lines.compute.map((compute, at) => text_width(level_text(compute, suffix(index)), kLabelSize, at === 0)),
  );
  return Math.max(120, ...widths);
}

export function levels(lines: MachineLines, frame: Frame, x: Axis, y: Axis, suffix: string): Level[] {
  const fastest = Math.max(0, ...lines.roofs.map((roof) => roof.rate));
  const shown = lines.compute.flatMap((compute, index) => {
    const line = flat(compute.rate, fastest, frame, x, y);
    const limit = compute.limit === undefined ? undefined : flat(compute.limit, fastest, frame, x, y);
    const title = title_of(compute.ceiling.id, compute.ceiling.value, unit_of(compute), compute.limit);
    return line === undefined ? [] : [{ compute, line, limit, title, roof: index === 0 }];
  });
  const wanted = shown.map((entry) => entry.line.y2 + 4);
  const placed = spread_apart(wanted, 14, frame.top + 10, frame.bottom);
  return shown.map((entry, index) => {
    const text = level_text(entry.compute, suffix);
    return { ...entry, label: { x: frame.right + 7, y: placed[index] ?? 0, text } };
  });
}

export function line_path(line: Line): string {
  return `M${line.x1},${line.y1}L${line.x2},${line.y2}`;
}

/// Beads on a string that runs behind them.
export function beads_path(points: readonly { x: number; y: number }[], frame: Frame, x: Axis, y: Axis): string {
  const shown = points
    .filter((point) => point.x >= x.low && point.x <= x.high && point.y >= y.low && point.y <= y.high)
    .map((point) => [frame.x(point.x), frame.y(point.y)] as const);
  const string = shown.slice(1).map(([to_x, to_y], index) => {
    const [from_x, from_y] = shown[index] ?? [to_x, to_y];
    const length = Math.hypot(to_x - from_x, to_y - from_y);
    const cut = length > 4 ? 2 / length : 0.5;
    const between = (part: number) => `${from_x + part * (to_x - from_x)},${from_y + part * (to_y - from_y)}`;
    return `M${between(cut)}L${between(1 - cut)}`;
  });
  const beads = shown.map(([at_x, at_y]) => `M${at_x - 2},${at_y}a2,2 0 1,0 4,0a2,2 0 1,0 -4,0`);
  return [...string, ...beads].join('');
}

/// Left of the ridge of every roof drawn, and right of all: in between it depends on the level.
export function zones(lines: MachineLines | undefined, levels: readonly string[], frame: Frame): { text: string; from: number; to: number }[] {
  const peak = lines?.compute[0]?.rate;
  const ridges = (lines?.roofs ?? []).filter((roof) => levels.includes(roof.level)).map((roof) => frame.x((peak ?? NaN) / roof.rate));
  if (peak === undefined || ridges.length === 0) {
    return [];
  }
  const within = (x: number) => Math.max(frame.left, Math.min(frame.right, x));
  return [
    { text: 'memory-bound', from: frame.left, to: within(Math.min(...ridges)) },
    { text: 'compute-bound', from: within(Math.max(...ridges)), to: frame.right },
  ];
}
