// A small document for the tests of the modules.
import type { Ceiling, Page, Profile, Region } from './data/page';

export function region(parts: Partial<Region>): Region {
  return {
    id: 1, process: 0, kind: 'loop', name: 'f', function: 'f()', threads: 1, entries: 1, time_seconds: {}, cpu_seconds: {},
    flops: { total: 0, terms: [] }, calls: {}, bytes: { loaded: 0, stored: 0 }, traffic: {}, intensity: {}, findings: [], notes: [],
    ...parts,
  };
}

export function seconds(value: number) {
  return { value, low: value * 0.9, high: value * 1.1, samples: 10 };
}

export function ceiling(id: string, p90: number, more: Partial<Ceiling> = {}): Ceiling {
  const [kind = '', first = '', second = '', third = ''] = id.split('.');
  const of_kind = kind === 'compute'
    ? { precision: first, isa: second as Ceiling['isa'], operation: third as Ceiling['operation'] }
    : { level: first as Ceiling['level'], pattern: second as Ceiling['pattern'], isa: third as Ceiling['isa'] };
  const unit = kind === 'compute' ? 'flop/s' : 'byte/s';
  return {
    id, kind: kind as Ceiling['kind'], ...of_kind, threads: Number(/\d+$/.exec(id)?.[0] ?? 1),
    value: { median: p90, p90, low: p90, high: p90, samples: 1, unit, origin: 'measured' }, flags: [], ...more,
  };
}

export function profile(regions: Region[], ceilings: Ceiling[] = []): Profile {
  return {
    ridge_version: '0', date: '', program: { argv: ['./a'], wall_seconds: 10 },
    machine: {
      ridge_version: '0', name: 'm', date: '', cpu: { vendor: '', name: '', family: 0, model: 0, stepping: 0 },
      topology: { sockets: 1, numa_nodes: 1, cores: 1, threads: 1 },
      caches: (['L1', 'L2'] as const).map((level) => ({ level, size_bytes: 1, ways: 1, line_bytes: 64, shared_by_threads: 1, policy: 'inclusive' as const, write_allocate: 'always' as const })),
      memories: [{ level: 'DRAM' }], clock: {}, ceilings,
    },
    processes: [], time: { sampled_seconds: 10, unattributed_fraction: 0 },
    origins: { flops: 'counted', bytes: 'counted', traffic: 'simulated', time: 'measured' }, regions,
  };
}

export function page(...profiles: Profile[]): Page {
  return { results: profiles.map((of, index) => ({ label: `r${index}`, profile: of })), machines: [], sources: [], above_roofs: [] };
}
