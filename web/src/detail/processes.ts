// The processes of a program side by side: ranks of a parallel one, and what scripts start.
import { to_number } from '../data/count';
import type { Process } from '../data/stored';
import { si } from '../format';
import { command_line } from '../names';
import type { Table } from './section';
import { table } from './section';

/// Of those whose time is known; undefined for fewer than two.
export function process_table(processes: Process[]): Table | undefined {
  const known = processes.flatMap((process) => (process.cpu_seconds === undefined ? [] : [{ ...process, seconds: process.cpu_seconds }]));
  const most = Math.max(...known.map(({ seconds }) => seconds));
  const rank_of = (rank: number | undefined) => rank ?? -1;
  const rows = [...known].sort((a, b) => rank_of(a.rank) - rank_of(b.rank)).map(({ rank, argv, seconds, flops }) => [
    `${rank === undefined ? '' : `rank ${rank}: `}${command_line(argv)}`,
    { text: si(seconds, 's'), bar: most > 0 ? seconds / most : 0 },
    flops === undefined ? '-' : si(to_number(flops), 'Flop'),
    flops === undefined || seconds === 0 ? '-' : si(to_number(flops) / seconds, 'Flop/s'),
  ]);
  return known.length < 2 ? undefined : table('Processes', ['process', 'CPU time', 'flops', 'per CPU second'], [1, 2, 3], rows);
}
