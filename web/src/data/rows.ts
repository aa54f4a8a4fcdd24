// One row per region and result: the figures that table, chart and details share. Self values come
// as the file has them; inclusive ones are ratios of sums over the region and all within it.
import type { Count } from './count';
import { sum, to_number } from './count';
import { binding_level } from './binding';
import { program_threads, roofs, threads_for } from './ceilings';
import { profile_levels } from './levels';
import type { Traffic, Page, PageResult, Profile, Region, SampledTime } from './page';
import { brief_location, called, plain_name, told_apart } from '../names';

export interface LevelFigures {
  bytes?: number;
  intensity?: number; // flop/byte
  rate?: number; // byte/s
  unbounded: boolean; // work, but the boundary is never crossed
  doubtful: boolean; // from sampled lines, which may not speak for all
}

/// What a region does on integers.
export interface Integers {
  amount: number; // operations; 0: none, or nobody counted
  performance?: number; // intop/s
  spread?: { low: number; high: number };
}

export interface Figures {
  time?: SampledTime;
  share?: number; // of the program's time
  flops?: Count; // undefined: not counted
  performance?: number; // flop/s
  /// Of the performance, from the 80 % interval of the time.
  spread?: { low: number; high: number };
  integers: Integers;
  levels: Record<string, LevelFigures>;
  binding?: string; // the level that binds
}

export interface Row {
  key: string; // "0.17": result and region
  result: number;
  region: Region;
  name: string;
  place: string;
  search: string; // lower case
  rank: number; // 1 = most time of its result
  self: Figures;
  has_work: boolean; // at least one flop in 1000 bytes
  has_integers: boolean; // likewise of integer operations
  uncertain: boolean;
}

/// What all rows of a result share.
interface Context {
  levels: string[];
  roofs: ReadonlyMap<string, number>; // byte/s by level, for as many threads as the program has
  seconds?: number;
  names: ReadonlyMap<string, string>; // that tell regions apart
}

export interface ResultRows {
  index: number;
  label: string;
  profile: Profile;
  levels: string[];
  seconds?: number; // that shares are taken of
  rows: Row[]; // by descending time, the program left out
  program?: Row;
  by_id: Map<number, Row>;
  children: Map<number, Row[]>; // by id of the parent
  inclusive: (row: Row) => Figures;
}

/// Less moves data: its bandwidth tells its story.
const kLeastIntensity = 1e-3;
const kMattersInSum = 0.01;

/// Its figures are those of other regions once more: a marker.
function overlaps(region: Region): boolean {
  return region.overlaps ?? false;
}

/// Known work: a region that was not counted adds none.
function work_of(flops: Count | undefined): number {
  return to_number(flops ?? 0);
}

function bytes_of({ bytes }: Region): number {
  return to_number(bytes?.loaded ?? 0) + to_number(bytes?.stored ?? 0);
}

/// L1 traffic that was not simulated is what was loaded and stored.
export function crossing_at(region: Region, level: string): Traffic | undefined {
  const known = Object.hasOwn(region.traffic, level) ? region.traffic[level] : undefined;
  const { loaded = 0, stored = 0 } = region.bytes ?? {};
  const counted = level === 'L1' && bytes_of(region) > 0;
  return known ?? (counted ? { read: loaded, written: stored } : undefined);
}

export function total_of(crossing: Traffic): number {
  return to_number(crossing.read) + to_number(crossing.written);
}

function program_seconds(profile: Profile): number | undefined {
  const program = profile.regions.find((region) => region.kind === 'program')?.time_seconds;
  const candidates = [
    profile.program.wall_seconds,
    program?.inclusive?.value,
    program?.self?.value,
    profile.time.sampled_seconds,
    profile.regions.reduce((total, region) => total + (overlaps(region) ? 0 : (region.time_seconds.self?.value ?? 0)), 0),
  ];
  return candidates.find((seconds) => seconds !== undefined && seconds > 0);
}

/// W / t over the ends of the interval of t.
function spread_of(flops: number, time: SampledTime | undefined) {
  return time !== undefined && flops > 0 && time.low > 0 && time.high > time.low
    ? { low: flops / time.high, high: flops / time.low }
    : undefined;
}

function ratio(above: number, below: number | undefined): number | undefined {
  return above > 0 && below !== undefined && below > 0 ? above / below : undefined;
}

function integers_of(amount: number, time: SampledTime | undefined, fits: boolean): Integers {
  return { amount, performance: fits ? ratio(amount, time?.value) : undefined, spread: fits ? spread_of(amount, time) : undefined };
}

function self_figures(region: Region, { levels, roofs: rates, seconds: total }: Context): Figures {
  const time = region.time_seconds.self;
  const seconds = time !== undefined && time.value > 0 ? time.value : undefined;
  const flops = work_of(region.flops?.total);
  // Counts of a region that was cut midway are not those of its time, nor is the time of one that sleeps that of its work.
  const fits = !(region.partial ?? false) && outside_code(region) === undefined;
  const figures: Figures = {
    time,
    share: ratio(seconds ?? 0, total),
    flops: region.flops?.total,
    performance: fits ? region.performance : undefined,
    spread: fits ? spread_of(flops, time) : undefined,
    integers: integers_of(to_number(region.intops ?? 0), time, fits),
    levels: {},
  };
  for (const level of levels) {
    const crossing = crossing_at(region, level);
    if (crossing !== undefined) {
      const bytes = total_of(crossing);
      const stated = Object.hasOwn(region.intensity, level) ? region.intensity[level] : undefined;
      figures.levels[level] = {
        bytes,
        intensity: stated === undefined ? ratio(flops, bytes) : stated > 0 ? stated : undefined,
        rate: seconds === undefined || !fits ? undefined : bytes / seconds,
        unbounded: bytes === 0 && flops > 0,
        doubtful: (region.doubtful_traffic as readonly string[] | undefined)?.includes(level) ?? false,
      };
    }
  }
  figures.binding = binding_level(figures.levels, region.bound?.code?.ceiling, rates);
  return figures;
}

/// Parts in doubt hold enough of the sum to matter; of a sum of nothing, any part does.
function doubtful_sum(parts: Figures[], level: string, bytes: number): boolean {
  const at = parts.flatMap((part) => part.levels[level] ?? []).filter((part) => part.doubtful);
  return at.length > 0 && at.reduce((all, part) => all + (part.bytes ?? 0), 0) >= kMattersInSum * bytes;
}

function inclusive_figures(row: Row, parts: Figures[], fits: boolean, { seconds: total, roofs: rates }: Context): Figures {
  const time = row.region.time_seconds.inclusive;
  const seconds = time !== undefined && time.value > 0 ? time.value : undefined;
  const flops = sum(parts.flatMap((part) => part.flops ?? []));
  const levels: Record<string, LevelFigures> = {};
  for (const level in row.self.levels) {
    // A part without traffic at this level makes the sum unknown.
    const bytes = parts.reduce<number>((all, part) => all + (part.levels[level]?.bytes ?? NaN), 0);
    if (Number.isFinite(bytes)) {
      levels[level] = {
        bytes,
        intensity: ratio(to_number(flops), bytes),
        rate: seconds === undefined || !fits ? undefined : bytes / seconds,
        unbounded: bytes === 0 && to_number(flops) > 0,
        doubtful: doubtful_sum(parts, level, bytes),
      };
    }
  }
  return {
    time,
    share: ratio(seconds ?? 0, total),
    flops,
    performance: fits ? ratio(to_number(flops), seconds) : undefined,
    spread: fits ? spread_of(to_number(flops), time) : undefined,
    integers: integers_of(parts.reduce((all, part) => all + part.integers.amount, 0), time, fits),
    levels,
    binding: binding_level(levels, undefined, rates),
  };
}

function is_notable(amount: number, region: Region): boolean {
  return amount > 0 && amount >= kLeastIntensity * bytes_of(region);
}

/// What waits in the OpenMP runtime, and calls of libraries, belong to the function they stand in.
function name_of(region: Region, plain: string, context: Context): string {
  return is_waiting(region) && region.wait === undefined ? `waits in ${called(region.function)}` : (context.names.get(plain) ?? plain);
}

/// Files of earlier versions know it by the name alone.
export function is_waiting(region: Region): boolean {
  return region.wait !== undefined || (region.kind === 'library' && region.name === 'omp wait');
}

/// What it does most of its time instead of running its own code: no roof and no rate speaks of that.
export function outside_code(region: Region): string | undefined {
  const code = region.bound?.verdict?.code;
  return code === 'asleep' ? 'asleep' : code === 'kernel' ? 'in the kernel' : undefined;
}

function row_of(region: Region, result: number, context: Context): Row {
  const plain = plain_name(region);
  const name = name_of(region, plain, context);
  const within = region.kind === 'library' && !is_waiting(region) && region.function !== '';
  return {
    key: `${result}.${region.id}`,
    result,
    region,
    name,
    place: brief_location(region) || (within ? `called in ${called(region.function)}` : overlaps(region) ? 'marker: all that ran inside' : ''),
    search: `${plain}\n${name}\n${region.function}\n${region.file ?? ''}:${region.line ?? ''}`.toLowerCase(),
    rank: 0,
    self: self_figures(region, context),
    has_work: is_notable(work_of(region.flops?.total), region),
    has_integers: is_notable(to_number(region.intops ?? 0), region),
    uncertain: region.notes.some((note) => note.code === 'uncertain-share'),
  };
}

/// By time; what has none by work, then by bytes.
function weight(row: Row): number {
  const bytes = bytes_of(row.region);
  const seconds = row.self.time?.value ?? 0;
  return seconds > 0 ? 1 + seconds : -1 / (1 + work_of(row.self.flops) + bytes * 1e-6);
}

function children_of(rows: readonly Row[]): Map<number, Row[]> {
  const children = new Map<number, Row[]>();
  for (const row of rows) {
    if (row.region.parent !== undefined) {
      const known = children.get(row.region.parent);
      if (known === undefined) {
        children.set(row.region.parent, [row]);
      } else {
        known.push(row);
      }
    }
  }
  return children;
}

/// The row and all rows within it. A ring of parents, which Ridge refuses to read, ends it too.
function subtree(row: Row, children: Map<number, Row[]>): Row[] {
  const found = new Set([row]);
  for (const member of found) {
    children.get(member.region.id)?.forEach((child) => found.add(child));
  }
  return [...found];
}

export function result_rows(result: PageResult, index: number): ResultRows {
  const profile = result.profile;
  const levels = profile_levels(profile);
  const seconds = program_seconds(profile);
  const threads = threads_for(profile.machine, program_threads(profile));
  const context: Context = {
    levels,
    seconds,
    roofs: new Map(roofs(profile.machine, levels, threads).map((roof) => [roof.level, roof.rate])),
    names: told_apart(profile.regions.map(plain_name)),
  };
  const all = profile.regions.map((region) => row_of(region, index, context));
  const rows = all
    .filter((row) => row.region.kind !== 'program')
    .sort((a, b) => Number(overlaps(a.region)) - Number(overlaps(b.region)) || weight(b) - weight(a));
  rows.forEach((row, at) => (row.rank = at + 1));
  const children = children_of(rows);
  const known = new Map<string, Figures>();
  const inclusive = (row: Row): Figures => {
    const parts = subtree(row, children);
    const fits = !parts.some((part) => part.region.partial ?? false);
    const figures = known.get(row.key) ?? inclusive_figures(row, parts.map((part) => part.self), fits, context);
    known.set(row.key, figures);
    return figures;
  };
  return {
    index,
    label: result.label,
    profile,
    levels,
    seconds,
    rows,
    program: all.find((row) => row.region.kind === 'program'),
    by_id: new Map(all.map((row) => [row.region.id, row])),
    children,
    inclusive,
  };
}

export function all_results(page: Page): ResultRows[] {
  return page.results.map(result_rows);
}
