// Calls of numerical libraries, by function and sizes: how fast they were against the compute roof.
import { to_number } from '../data/count';
import type { Profile } from '../data/page';
import type { LibraryCall } from '../data/stored';
import { percent, si } from '../format';
import type { Table } from './section';
import { table } from './section';

const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);

function precision_of(name: string): string {
  return name.startsWith('fftwf') || (!name.startsWith('fftw') && /^[sc]/.test(name)) ? 'fp32' : 'fp64';
}

/// The fastest with as many threads as the program has; without any of those, of all.
function compute_roof(profile: Profile, precision: string): number | undefined {
  const threads = profile.regions.find(({ kind }) => kind === 'program')?.threads ?? 1;
  const all = profile.machine.ceilings.filter((ceiling) => ceiling.kind === 'compute' && ceiling.precision === precision);
  const own = all.filter((ceiling) => ceiling.threads === threads);
  const rates = (own.length > 0 ? own : all).map(({ value }) => value.p90);
  return rates.length === 0 ? undefined : Math.max(...rates);
}

function callers_of(profile: Profile, calls: LibraryCall[]): string {
  const named = calls.flatMap((call) => {
    const region = profile.regions.find(({ id }) => id === call.region);
    const place = region?.file === undefined || region.line === undefined ? '' : ` (${region.file.split('/').pop()}:${region.line})`;
    return region === undefined ? [] : [`${region.name}${place}`];
  });
  return [...new Set(named)].join(', ');
}

/// Undefined where no calls were recorded.
export function library_table(profile: Profile): Table | undefined {
  const calls = profile.library_calls ?? [];
  const all = sum(calls.map(({ seconds }) => seconds));
  const name_of = (call: LibraryCall) => [call.name, call.sizes].filter(Boolean).join(' ');
  const rows = [...new Set(calls.map(name_of))]
    .map((name) => {
      const own = calls.filter((call) => name_of(call) === name);
      return { name, own, seconds: sum(own.map(({ seconds }) => seconds)) };
    })
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ name, own, seconds }) => {
      const flops = own.some((call) => call.flops === undefined) ? 0 : sum(own.map((call) => to_number(call.flops ?? 0)));
      const rate = flops > 0 && seconds > 0 ? flops / seconds : undefined;
      const roof = compute_roof(profile, precision_of(name));
      // Times are sums over ranks: a rate is that of one rank, whose share of the roof of all it is held against.
      const ranks = profile.parallel?.measured ?? 1;
      return [
        name,
        String(sum(own.map((call) => to_number(call.calls)))),
        { text: si(seconds, 's'), bar: all > 0 ? seconds / all : 0 },
        rate === undefined ? '-' : si(rate, 'Flop/s'),
        rate === undefined || !roof ? '-' : percent((rate * ranks) / roof),
        callers_of(profile, own),
      ];
    });
  return rows.length === 0 ? undefined : table('Calls of libraries', ['call', 'calls', 'time', 'flop/s', 'of roof', 'called from'], [1, 2, 3, 4], rows);
}

/// What libraries are called; MKL serves both.
const kDense = /^lib(scipy_openblas|openblas|c?blas|lapack|blis|flame|flexiblas|[st]?atlas|mkl).*\.so/;
const kTransforms = /^lib(fftw|mkl).*\.so/;

/// In which library the code of a region is, as names of regions say it; else something that is none.
function file_of(name: string): string {
  return name.includes(' in ') ? name.slice(name.lastIndexOf(' in ') + 4) : name.startsWith('in ') ? name.slice(3) : (name.split('+')[0] ?? '');
}

/// Flops of each library; undefined where they are not those of all that ran.
function counted_files(profile: Profile): Map<string, number> | undefined {
  const files = new Map<string, number>();
  const program = profile.regions.find(({ kind }) => kind === 'program');
  const known = profile.regions.filter((region) => region.kind !== 'program' && !region.overlaps && (kDense.test(file_of(region.name)) || kTransforms.test(file_of(region.name))));
  const is_part = known.some((region) => region.partial || region.notes?.some(({ code }) => code === 'work-of-some-ranks'));
  if (is_part || (program !== undefined && program.flops === undefined)) {
    return undefined;
  }
  for (const region of known) {
    const flops = (region.origins ?? profile.origins).flops === 'counted' ? to_number(region.flops?.total ?? 0) : 0;
    if (flops > 0) {
      files.set(file_of(region.name), (files.get(file_of(region.name)) ?? 0) + flops);
    }
  }
  return files;
}

/// "0.3 % more than", "as many as".
function against(ratio: number): string {
  const apart = percent(Math.abs(ratio - 1), 1);
  return apart === percent(0, 1) ? 'as many as' : `${apart} ${ratio > 1 ? 'more' : 'less'} than`;
}

/// What an engine counted in the libraries beside the formulas, a sentence for each family: by the rules
/// of src/render/document/run/library_counts.cpp.
export function counted_libraries(profile: Profile): string[] {
  const calls = profile.library_calls ?? [];
  const is_plan = ({ name }: LibraryCall) => name.endsWith('_plan');
  const is_transform = ({ name }: LibraryCall) => name.startsWith('fftw');
  const files = [...(counted_files(profile) ?? [])].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const works = calls.filter((call) => !is_plan(call));
  const is_one = works.some(is_transform) && works.some((call) => !is_transform(call)) && files.some(([file]) => kDense.test(file) && kTransforms.test(file));
  const families = is_one
    ? [{ name: 'BLAS, LAPACK and FFTW', has: () => true, holds: () => true }]
    : [{ name: 'BLAS and LAPACK', has: (call: LibraryCall) => !is_transform(call), holds: (file: string) => kDense.test(file) },
      { name: 'FFTW', has: is_transform, holds: (file: string) => kTransforms.test(file) }];
  return families.flatMap(({ name, has, holds }) => {
    const own = works.filter(has);
    const within = files.filter(([file]) => holds(file));
    if (own.length === 0 || within.length === 0) {
      return [];
    }
    const counted = sum(within.map(([, flops]) => flops));
    const modelled = sum(own.map(({ flops }) => to_number(flops ?? 0)));
    const without = [...new Set(own.filter(({ flops }) => flops === undefined).map((call) => call.name))];
    const text = `${name}: ${si(counted, 'Flop')} counted in ${within.map(([file]) => file).join(', ')}${calls.some((call) => has(call) && is_plan(call)) ? ', planning included' : ''}`;
    return without.length > 0
      ? [`${text}; no formula for all calls of ${without.join(', ')}`]
      : [modelled > 0 ? `${text}, ${against(counted / modelled)} by the formulas (modelled)` : `${text}; none by the formulas (modelled)`];
  });
}
