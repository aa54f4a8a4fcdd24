// Time in MPI by function: how much of it was waiting, and who calls.
import { to_number } from '../data/count';
import type { Profile } from '../data/page';
import type { MpiCall } from '../data/stored';
import { percent, si } from '../format';
import type { Table } from './section';
import { table } from './section';

const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);

/// undefined where one of them is.
function sum_known(values: (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length < values.length ? undefined : sum(known);
}

function callers_of(profile: Profile, calls: MpiCall[], seconds: number): string {
  const named = [...calls]
    .sort((a, b) => b.seconds - a.seconds)
    .flatMap((call) => {
      const region = profile.regions.find(({ id }) => id === call.region);
      const place = region?.file === undefined || region.line === undefined ? '' : ` (${region.file.split('/').pop()}:${region.line})`;
      return region === undefined ? [] : [`${region.name}${place}${calls.length > 1 && seconds > 0 ? ` ${percent(call.seconds / seconds)}` : ''}`];
    });
  return named.join(', ');
}

/// Undefined where no calls were recorded.
export function mpi_table(profile: Profile): Table | undefined {
  const calls = profile.mpi_calls ?? [];
  const all = sum(calls.map(({ seconds }) => seconds));
  const rows = [...new Set(calls.map(({ name }) => name))]
    .map((name) => {
      const own = calls.filter((call) => call.name === name);
      return { name, own, seconds: sum(own.map(({ seconds }) => seconds)) };
    })
    .sort((a, b) => b.seconds - a.seconds)
    .map(({ name, own, seconds }) => {
      const count = sum(own.map((call) => to_number(call.calls)));
      const bytes = sum_known(own.map((call) => (call.bytes === undefined ? undefined : to_number(call.bytes))));
      const waiting = sum_known(own.map((call) => call.waiting_seconds));
      return [
        name,
        String(count),
        bytes === undefined ? '-' : si(bytes, 'B'),
        bytes === undefined || count === 0 ? '-' : si(bytes / count, 'B'),
        { text: si(seconds, 's'), bar: all > 0 ? seconds / all : 0 },
        waiting === undefined || seconds === 0 ? '-' : percent(waiting / seconds),
        callers_of(profile, own, seconds),
      ];
    });
  return rows.length === 0
    ? undefined
    : table('MPI', ['call', 'calls', 'bytes', 'per call', 'time', 'waiting', 'called from'], [1, 2, 3, 4, 5], rows);
}

/// Less is not worth a word.
const LEAST_START = 0.01;
const LEAST_UNTOLD = 0.05;

const is_start_or_end = ({ name }: MpiCall) => ['MPI_Init', 'MPI_Init_thread', 'MPI_Finalize'].includes(name);
const seconds_of = (calls: MpiCall[]) => sum(calls.map(({ seconds }) => seconds));

/// "31 % of the time of 2 processes, and 20 % in MPI_Init and MPI_Finalize; 60 % of it waiting; of 10 % waiting is not told apart".
export function mpi_share(profile: Profile): string {
  const calls = (profile.mpi_calls ?? []).filter((call) => !is_start_or_end(call));
  const all = seconds_of(calls);
  const start = seconds_of((profile.mpi_calls ?? []).filter(is_start_or_end));
  const waiting = sum(calls.map((call) => call.waiting_seconds ?? 0));
  const untold = seconds_of(calls.filter((call) => call.waiting_seconds === undefined));
  const inside = profile.processes.filter(({ mpi_seconds }) => mpi_seconds !== undefined);
  const wall = sum(inside.map(({ wall_seconds }) => wall_seconds ?? profile.program.wall_seconds ?? 0));
  const parts: string[] = [];
  if (wall > 0) {
    const share = sum(inside.map(({ mpi_seconds }) => mpi_seconds ?? 0)) / wall;
    const of_start = all + start > 0 ? (share * start) / (all + start) : 0;
    const also = of_start >= LEAST_START ? `, and ${percent(of_start)} in MPI_Init and MPI_Finalize` : '';
    parts.push(`${percent(share - of_start)} of the time of ${inside.length} process${inside.length === 1 ? '' : 'es'}${also}`);
  }
  if (all > 0) {
    parts.push(`${percent(waiting / all)} of it waiting`);
  }
  if (untold >= LEAST_UNTOLD * all && untold > 0) {
    parts.push(`of ${percent(untold / all)} waiting is not told apart`);
  }
  return parts.join('; ');
}
