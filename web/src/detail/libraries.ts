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
      return [
        name,
        String(sum(own.map((call) => to_number(call.calls)))),
        { text: si(seconds, 's'), bar: all > 0 ? seconds / all : 0 },
        rate === undefined ? '-' : si(rate, 'Flop/s'),
        rate === undefined || !roof ? '-' : percent(rate / roof),
        callers_of(profile, own),
      ];
    });
  return rows.length === 0 ? undefined : table('Calls of libraries', ['call', 'calls', 'time', 'flop/s', 'of roof', 'called from'], [1, 2, 3, 4], rows);
}
