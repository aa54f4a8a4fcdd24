// What the chart shows, in flop/byte and flop/s (or of integer operations): no pixels here.
import type { ComputeLine, Roof } from '../data/ceilings';
import {
  compute_lines,
  kIntegers,
  main_precision,
  measured_points,
  program_threads,
  roofs,
  threads_for,
} from '../data/ceilings';
import { as_integers } from '../data/integers';
import { machine_levels } from '../data/levels';
import type { Machine, Page } from '../data/page';
import type { Figures, ResultRows, Row } from '../data/rows';
import type { View } from '../view/view';
import type { Axis } from './scale';
import { Extent, kLeastDrawn, kMostDrawn, snap_down } from './scale';

/// Regions with this share of the time have marks; the others are specks, with no say in the axes.
const kMarkedShare = 0.01;
const kMostMarks = 50;
/// The hottest have marks whatever their share.
const kLeastMarks = 10;
/// Marks and specks together: more would only be a cloud, and cost the reader's patience.
const kMostPoints = 1000;
/// That show their dots at every level.
const kExpanded = 3;
const kLeastRatio = 100;
/// A loop this far below the ceilings, or a level this far beyond every ridge, would leave no room for
/// the others.
const kMostBelow = 1e5;
const kMostBeyond = 30;

export interface Dot {
  row: Row;
  level: string;
  x?: number; // flop/byte; absent: the boundary is never crossed
  y: number; // flop/s
  spread?: { low: number; high: number };
  share: number;
  doubtful: boolean; // its intensity
}

/// One region: its dot at the level that binds, and those of all levels, from the innermost outwards.
export interface Mark {
  row: Row;
  share: number;
  dots: Dot[];
  main: Dot;
  expanded: boolean; // shows all of them
}

export interface MachineLines {
  name: string;
  threads: number;
  roofs: Roof[];
  compute: ComputeLine[];
  measured: { level: string; points: { x: number; y: number }[] }[];
}

export interface ChartModel {
  levels: string[]; // shown, innermost first
  dot_levels: string[]; // of these, the ones that place dots
  all_levels: string[];
  precision: string; // or kIntegers
  intops: boolean; // integer operations are counted in place of flops
  lines: MachineLines[]; // of the machine the program ran on first
  marks: Mark[]; // by descending share
  specks: Mark[]; // the rest
  left_out: number; // regions with less time than all of these
  without_place: Row[]; // work and time, but no traffic at any level shown
  x: Axis;
  y: Axis;
}

export interface ChartInput {
  page: Page;
  results: readonly ResultRows[]; // shown
  rows: readonly Row[]; // filtered
  figures: (row: Row) => Figures;
  view: View;
}

function merged_levels(input: ChartInput): string[] {
  const machines = input.results.length > 0 ? [] : input.page.machines;
  return [...new Set([...input.results.flatMap((result) => result.levels), ...machines.flatMap(machine_levels)])];
}

/// Machines whose lines are drawn: those of the results, then the ones chosen; each once.
export function shown_machines(page: Page, results: readonly ResultRows[], chosen: readonly number[]): Machine[] {
  const extra = page.machines.filter((_, index) => chosen.includes(index) || results.length === 0);
  const known = new Map<string, Machine>();
  for (const machine of [...results.map((result) => result.profile.machine), ...extra]) {
    const key = `${machine.name}\n${machine.date}\n${machine.ceilings.length}`;
    if (!known.has(key)) {
      known.set(key, machine);
    }
  }
  return [...known.values()];
}

function lines_of(machine: Machine, threads: number, precision: string, input: ChartInput, levels: string[]): MachineLines {
  const wanted = threads_for(machine, threads);
  const without = new Set(input.view.hidden_ceilings);
  const limited = <T extends { limit?: number }>(line: T) => (input.view.limits ? line : { ...line, limit: undefined });
  return {
    name: machine.name,
    threads: wanted,
    roofs: roofs(machine, levels, wanted).map(limited),
    compute: compute_lines(machine, precision, wanted)
      .filter((line) => !without.has(line.ceiling.id))
      .map(limited),
    measured: (input.view.measured ? (machine.measured_roofs ?? []) : [])
      .filter((roof) => roof.threads === wanted && roof.precision === precision && levels.includes(roof.level))
      .map((roof) => ({ level: roof.level, points: measured_points(machine, roof) })),
  };
}

function dots_of(row: Row, figures: Figures, levels: readonly string[]): Dot[] {
  const y = figures.performance;
  if (y === undefined || !(y > 0)) {
    return [];
  }
  return levels.flatMap((level) => {
    const at = figures.levels[level];
    if (at === undefined || (at.intensity === undefined && at.bytes !== 0)) {
      return [];
    }
    return [{ row, level, x: at.intensity, y, spread: figures.spread, share: figures.share ?? 0, doubtful: at.doubtful }];
  });
}

/// That of the level that binds; where this is not shown, the outermost one with a place.
function main_dot(dots: readonly Dot[], binding: string | undefined): Dot | undefined {
  return dots.find((dot) => dot.level === binding) ?? dots.filter((dot) => dot.x !== undefined).at(-1) ?? dots.at(-1);
}

/// By descending share; regions beyond what a chart can show have no mark.
function all_marks(input: ChartInput, levels: readonly string[]): { marks: Mark[]; without_place: Row[]; left_out: number } {
  const { intops } = input.view;
  const working = input.rows
    .filter((row) => (intops ? row.has_integers : row.has_work))
    .map((row) => ({ row, figures: intops ? as_integers(input.figures(row)) : input.figures(row) }))
    .filter(({ figures }) => figures.performance !== undefined && figures.performance > 0)
    .sort((a, b) => (b.figures.share ?? 0) - (a.figures.share ?? 0));
  const shown = working.slice(0, kMostPoints);
  const marks: Mark[] = [];
  const without_place: Row[] = [];
  for (const { row, figures } of shown) {
    const dots = dots_of(row, figures, levels);
    const main = main_dot(dots, figures.binding);
    if (main === undefined) {
      without_place.push(row);
    } else {
      marks.push({ row, share: figures.share ?? 0, dots, main, expanded: false });
    }
  }
  return { marks, without_place, left_out: working.length - shown.length };
}

/// How many of the marks, in their order, are drawn each on its own.
function marked_count(marks: readonly Mark[]): number {
  const hot = marks.filter((mark) => mark.share >= kMarkedShare).length;
  return Math.min(marks.length, kMostMarks, Math.max(hot, kLeastMarks));
}

function around(low: number, high: number): Axis {
  const start = snap_down(Math.max(low, kLeastDrawn));
  return { low: start, high: Math.max(Math.min(high, kMostDrawn), start * kLeastRatio) };
}

/// Every dot of a hot region (but for extremes), every ridge point and every ceiling lies inside; the roofs go on beyond
/// them.
function extents(marks: readonly Mark[], lines: readonly MachineLines[]): { x: Axis; y: Axis } {
  const x = new Extent();
  const y = new Extent();
  let outermost_ridge = 0;
  for (const { compute, roofs: bandwidths, measured } of lines) {
    compute.forEach((line) => [line.rate, line.limit].forEach((rate) => y.include(rate)));
    measured.flatMap((roof) => roof.points).forEach((point) => (x.include(point.x), y.include(point.y)));
    for (const roof of bandwidths) {
      const ridge = (compute[0]?.rate ?? 0) / roof.rate;
      x.include(ridge);
      outermost_ridge = Math.max(outermost_ridge, ridge);
    }
  }
  const lowest = y.high / kMostBelow;
  const furthest = outermost_ridge > 0 ? outermost_ridge * kMostBeyond : Infinity;
  const hot = marks.filter((mark) => mark.share >= kMarkedShare);
  for (const mark of hot.length > 0 ? hot : marks) {
    (mark.expanded ? mark.dots : [mark.main]).filter((dot) => (dot.x ?? 0) <= furthest).forEach((dot) => x.include(dot.x));
    [mark.main.y, mark.main.spread?.low, mark.main.spread?.high].forEach((rate) => (rate ?? 0) >= lowest && y.include(rate));
  }
  const [x_low, x_high] = x.empty ? [0.1, 10] : [x.low, x.high];
  const [y_low, y_high] = y.empty ? [1e9, 1e11] : [y.low, y.high];
  return {
    x: around(x_low / 2.2, Math.max(x_high * 2, outermost_ridge * 4)),
    y: around(Math.min(y_low / 2, y_high / 40), y_high * 1.6),
  };
}

/// Levels whose intensity places the dots.
function axis_levels(axis: string, shown: string[], all: string[], results: number): string[] {
  if (axis === '' && results > 1) {
    return shown.slice(-1);
  }
  return axis === '' || axis === 'all' ? shown : all.filter((level) => level === axis);
}

/** of the machine; where its topology is not known the most that a ceiling has */
function most_threads(machine: Machine): number {
  return machine.topology?.threads ?? Math.max(1, ...machine.ceilings.map((ceiling) => ceiling.threads));
}

export function chart_model(input: ChartInput): ChartModel {
  const { view, results } = input;
  const all_levels = merged_levels(input);
  const levels = all_levels.filter((level) => !view.hidden_levels.includes(level));
  const first = results[0]?.profile;
  const precision = view.intops ? kIntegers : view.precision || (first === undefined ? 'fp64' : main_precision(first));
  const machines = shown_machines(input.page, results, view.machines);
  const most = Math.max(...machines.map(most_threads), 1);
  const threads = view.threads || (first === undefined ? most : program_threads(first));
  const lines = machines.map((machine) => lines_of(machine, threads, precision, input, levels));
  const dot_levels = axis_levels(view.axis, levels, all_levels, results.length);
  const { marks, without_place, left_out } = all_marks(input, dot_levels);
  const count = marked_count(marks);
  const expanded = view.axis === 'all' ? count : view.axis === '' && results.length === 1 ? kExpanded : 0;
  const drawn = marks.slice(0, count).map((mark, at) => ({ ...mark, expanded: at < expanded }));
  return {
    levels,
    dot_levels,
    all_levels,
    precision,
    intops: view.intops,
    lines,
    marks: drawn,
    specks: marks.slice(count),
    without_place,
    left_out,
    ...extents(drawn, lines),
  };
}
