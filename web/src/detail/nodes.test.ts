import { expect, it } from 'vitest';

import type { Profile } from '../data/page';
import type { RankHost } from '../data/stored';
import { ceiling, profile as made, region } from '../for_tests';
import { node_table } from './nodes';

const host = (name: string, flops: number): RankHost => ({ name, ranks: 2, cpus: 8, wall_seconds: 2, cpu_seconds: 4, mpi_seconds: 1, flops, bytes: 3 * flops, memory_bytes: flops / 2 });

/// Two machines that together reach 400 GFlop/s and 100 GB/s with all their threads.
function nodes(...hosts: RankHost[]): Profile {
  const program = region({ kind: 'program', threads: 4, flops: { total: 80e9, fp64: 80e9, terms: [] } });
  const roofs = [ceiling('compute.fp64.avx2.fma.t2', 80e9), ceiling('compute.fp64.avx2.fma.t16', 400e9), ceiling('bandwidth.DRAM.load.avx2.t2', 50e9), ceiling('bandwidth.DRAM.load.avx2.t16', 100e9)];
  return { ...made([program], roofs), parallel: { ranks: 4, measured: 4, hosts } };
}

const two = nodes(host('node-0', 20e9), host('node-1', 60e9));

it('rates of each machine stand against the roofs of one', () => {
  const table = node_table(two);
  expect(table?.table.rows[1]).toEqual(['node-1', '2', '8', '2.00 s', '30.0 GFlop/s', '15 %', '15.0 GB/s', '30 %', '25 %']);
  expect(table?.heading).toBe('By node: 2 machines; most / mean: work 1.50, bytes to memory 1.50, CPU time 1.00, time in MPI 1.00');
});

it('of chosen ranks the share of MPI is unknown', () => {
  const table = node_table({ ...two, parallel: { ranks: 4, measured: 2, hosts: two.parallel?.hosts } });
  expect(table?.table.heads.at(-1)).toBe('of memory roof');
  expect(table?.text).toContain('measured ranks');
});

it('of one machine there is none', () => {
  expect(node_table(nodes(host('node-0', 1)))).toBeUndefined();
  expect(node_table({ ...two, parallel: undefined })).toBeUndefined();
});

it('what is unknown has no column, and names that were left out are numbers', () => {
  const bare = { ranks: 2, wall_seconds: 1, flops: 5 };
  const table = node_table({ ...nodes({ ...bare, flops: undefined }, bare), machine: { ...two.machine, ceilings: [] } });
  expect(table?.table.heads).toEqual(['node', 'ranks', 'time', 'flop/s']);
  expect(table?.table.rows).toEqual([['node 1', '2', '1.00 s', '-'], ['node 2', '2', '1.00 s', '5.00 Flop/s']]);
  expect(table?.heading).toBe('By node: 2 machines');
  expect(table?.text).not.toContain('roof');
  expect(table?.text).not.toContain('in MPI');
});

it('of very many those at the ends stay', () => {
  const hosts = Array.from({ length: 1000 }, (_, at) => ({ ...host(`n${at}`, 1e6 + at), wall_seconds: at === 321 ? 9 : 2, mpi_seconds: at === 654 ? 0.01 : 1 }));
  const table = node_table(nodes(...hosts));
  const names = table?.table.rows.map(([name]) => name) ?? [];
  expect(names.length).toBeLessThanOrEqual(24);
  expect(names).toEqual(expect.arrayContaining(['n0', 'n321', 'n654', 'n999']));
  expect(table?.text).toContain(`${1000 - names.length} more`);
});
