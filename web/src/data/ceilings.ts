// Which ceilings of a machine a chart shows, by the rule of src/render/chart/ceilings.cpp.
import type { Ceiling, Machine, MeasuredRoof, Profile, WorkTerm } from './page';
import { to_number } from './count';

/// Closer ceilings would be one line with two labels.
const kLeastRatio = 1.1;
const kMostLowerCeilings = 5;
const kWorth = ['avx512.fma', 'avx2.fma', 'scalar.fma', 'scalar.add', 'avx512.add', 'avx2.add', 'sse.fma'];

export interface Roof {
  level: string;
  ceiling: Ceiling;
  rate: number; // byte/s across the boundary, p90
  limit?: number; // theoretical
}

export interface ComputeLine {
  ceiling: Ceiling;
  rate: number; // flop/s or, of integers, op/s; p90
  limit?: number;
}

/// In place of a precision: sums and products of integers of 32 and 64 bits.
export const kIntegers = 'integers';

/// p90 of the rate across the boundary where it is known, else of the rate asked for.
export function traffic_rate(ceiling: Ceiling): number {
  return (ceiling.traffic_value ?? ceiling.value).p90;
}

function of_cpu(machine: Machine): Ceiling[] {
  return machine.ceilings.filter((ceiling) => ceiling.device === undefined && ceiling.kind !== 'latency');
}

export function thread_counts(machine: Machine): number[] {
  return [...new Set(of_cpu(machine).map((ceiling) => ceiling.threads))].sort((a, b) => a - b);
}

export function precisions(machine: Machine): string[] {
  const known = of_cpu(machine).filter((ceiling) => ceiling.kind === 'compute' && ceiling.value.unit === 'flop/s');
  return [...new Set(known.flatMap((ceiling) => ceiling.precision ?? []))].sort().reverse();
}

/// The program's thread count, or the next lower one that was measured, or the lowest.
export function threads_for(machine: Machine, wanted: number): number {
  const known = thread_counts(machine);
  return known.filter((threads) => threads <= wanted).at(-1) ?? known[0] ?? wanted;
}

export function program_threads(profile: Profile): number {
  const program = profile.regions.find((region) => region.kind === 'program');
  if (program !== undefined) {
    return Math.max(1, program.threads);
  }
  return profile.regions.reduce((most, region) => Math.max(most, region.threads), 1);
}

/// With the most work in the program.
export function main_precision(profile: Profile): string {
  const program = profile.regions.find((region) => region.kind === 'program');
  const of = program !== undefined && to_number(program.flops?.total ?? 0) > 0 ? [program] : profile.regions;
  type Precision = WorkTerm['precision'];
  let best: Precision = 'fp64';
  const work = (precision: Precision) =>
    of.reduce((total, region) => total + Number(region.flops?.[precision] ?? 0), 0);
  for (const candidate of ['fp32', 'fp16', 'bf16'] as const) {
    best = work(candidate) > work(best) ? candidate : best;
  }
  return best;
}

/// The load pattern (any other where there is none) of the best instruction set.
function best_bandwidth(machine: Machine, level: string, threads: number): Ceiling | undefined {
  const of_level = of_cpu(machine).filter(
    (ceiling) => ceiling.kind === 'bandwidth' && ceiling.level === level && ceiling.threads === threads,
  );
  const loads = of_level.filter((ceiling) => ceiling.pattern === 'load');
  const candidates = loads.length > 0 ? loads : of_level;
  return candidates.reduce<Ceiling | undefined>(
    (best, ceiling) => (best !== undefined && traffic_rate(best) >= traffic_rate(ceiling) ? best : ceiling),
    undefined,
  );
}

export function roofs(machine: Machine, levels: readonly string[], threads: number): Roof[] {
  return levels.flatMap((level) => {
    const ceiling = best_bandwidth(machine, level, threads);
    const rate = ceiling === undefined ? 0 : traffic_rate(ceiling);
    // The limit is in the unit of `value`: it is the limit of the roof only where both are one.
    const limit = ceiling?.traffic_value === undefined ? ceiling?.limit : undefined;
    return ceiling === undefined || !(rate > 0) ? [] : [{ level, ceiling, rate, limit }];
  });
}

function worth(ceiling: Ceiling): number {
  const at = kWorth.indexOf(`${ceiling.isa}.${ceiling.operation}`);
  const basic = ceiling.operation === 'fma' || ceiling.operation === 'add';
  return at >= 0 ? at : basic ? kWorth.length : Infinity;
}

function is_of_integers(ceiling: Ceiling): boolean {
  const width = ceiling.precision === 'int32' || ceiling.precision === 'int64';
  return width && ceiling.value.unit === 'op/s' && (ceiling.operation === 'add' || ceiling.operation === 'mul');
}

/// As worth(): those of the widest instructions, then those of one integer at a time.
function integer_worth(ceiling: Ceiling, widest: Ceiling | undefined): number {
  const scalar = ceiling.isa === 'scalar';
  const tier = ceiling.isa === widest?.isa ? 0 : scalar ? 1 : 2;
  return 4 * tier + 2 * Number(ceiling.operation === 'mul') + Number((ceiling.precision === 'int64') !== scalar);
}

const kSame = 1.03;

function is_within_noise(candidate: Ceiling, highest: Ceiling): boolean {
  const overlap = candidate.value.high >= highest.value.low && candidate.value.low <= highest.value.high;
  return candidate.value.p90 * kSame >= highest.value.p90 || (overlap && candidate.value.p90 * kLeastRatio >= highest.value.p90);
}

/// Of one family narrow to wide; what has no place among them comes first.
const kWidths = [['scalar'], ['sse', 'neon', 'vsx'], ['avx2', 'sve'], ['avx512']];

function preference({ operation, isa, value }: Ceiling): number[] {
  return [['fma+add', 'fma'].indexOf(operation ?? '') >>> 0, -kWidths.findIndex((names) => names.includes(isa ?? '')), -value.p90];
}

/// Two runs must not name one roof differently: of ceilings within the noise of the highest the mix of
/// fma and add, before fma, before the rest; then the widest. By the rule of
/// src/core/value/widest_ceiling.hpp.
export function widest_within_noise(ceilings: readonly Ceiling[]): Ceiling | undefined {
  const highest = ceilings.reduce<Ceiling | undefined>((top, each) => (top !== undefined && top.value.p90 >= each.value.p90 ? top : each), undefined);
  const near = highest === undefined ? [] : ceilings.filter((each) => is_within_noise(each, highest));
  return [...near].sort((a, b) => {
    const [first, second] = [preference(a), preference(b)];
    const differs = first.findIndex((part, at) => part !== second[at]);
    return differs < 0 ? (a.id < b.id ? -1 : 1) : (first[differs] ?? 0) - (second[differs] ?? 0);
  })[0];
}

/// The highest (of those within noise the widest), then at most five lower ones that stand at least
/// 10 % apart; descending. `precision` may be kIntegers.
export function compute_lines(machine: Machine, precision: string, threads: number): ComputeLine[] {
  const integers = precision === kIntegers;
  const all = of_cpu(machine)
    .filter(
      (ceiling) =>
        ceiling.kind === 'compute' &&
        (integers ? is_of_integers(ceiling) : ceiling.value.unit === 'flop/s' && ceiling.precision === precision) &&
        ceiling.threads === threads &&
        ceiling.value.p90 > 0,
    )
    .sort((a, b) => b.value.p90 - a.value.p90);
  const widest = widest_within_noise(all);
  const chosen = widest === undefined ? [] : [widest];
  const worth_here = (ceiling: Ceiling) => (integers ? integer_worth(ceiling, widest) : worth(ceiling));
  for (const candidate of [...all].sort((a, b) => worth_here(a) - worth_here(b))) {
    const apart = chosen.every((other) => {
      const ratio = other.value.p90 / candidate.value.p90;
      return ratio >= kLeastRatio || ratio <= 1 / kLeastRatio;
    });
    if (chosen.length <= kMostLowerCeilings && worth_here(candidate) < Infinity && apart) {
      chosen.push(candidate);
    }
  }
  return chosen
    .sort((a, b) => b.value.p90 - a.value.p90)
    .map((ceiling) => ({ ceiling, rate: ceiling.value.p90, limit: ceiling.limit }));
}

/// A measured roof at the clock of the ceilings it belongs to: each point as far below the lines as
/// it was below them at its own clock.
export function measured_points(machine: Machine, roof: MeasuredRoof): { x: number; y: number }[] {
  const compute = machine.ceilings.find((ceiling) => ceiling.id === roof.compute)?.value.p90;
  const bandwidth = machine.ceilings.find((ceiling) => ceiling.id === roof.bandwidth)?.value.p90;
  return roof.points.map((point) => ({
    x: point.intensity,
    y:
      compute === undefined || bandwidth === undefined
        ? point.value.p90
        : point.fraction * Math.min(compute, point.intensity * bandwidth),
  }));
}

/// The rate of a level that a region's traffic can be held against.
export function level_rate(machine: Machine, level: string, threads: number): number | undefined {
  const ceiling = best_bandwidth(machine, level, threads_for(machine, threads));
  return ceiling === undefined ? undefined : traffic_rate(ceiling);
}
