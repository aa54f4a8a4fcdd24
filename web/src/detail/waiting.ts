// Why threads wait in a region, and how long others waited for it.
import type { Region } from '../data/page';
import { percent, si } from '../format';
import type { Section } from './section';
import { section, table } from './section';

const kCauses = [
  ['imbalance', 'others had more work'],
  ['serial', 'one thread worked, on what is not parallel'],
  ['oversubscribed', 'no CPU for a thread: more threads than CPUs'],
  ['busy', 'no CPU for a thread: other programs had it'],
  ['unexplained', 'not known'],
] as const;

export function waiting_section(region: Region, origin: string): Section | undefined {
  const causes = region.wait_causes;
  const all = kCauses.reduce((sum, [cause]) => sum + (causes?.[cause] ?? 0), 0);
  const rows = kCauses
    .map(([cause, words]) => ({ words, seconds: causes?.[cause] ?? 0 }))
    .filter(({ seconds }) => seconds > 0)
    .sort((a, b) => b.seconds - a.seconds);
  const caused = region.caused_wait_seconds ?? 0;
  return section('Waiting', {
    origin,
    tables: [
      table('Why threads wait', ['cause', 'thread time', 'share'], [1, 2],
        rows.map(({ words, seconds }) => [words, si(seconds, 's'), { text: percent(seconds / all, 1), bar: seconds / all }])),
    ],
    pairs: caused > 0 ? [{ name: 'thread time that others waited for it', value: si(caused, 's') }] : [],
  });
}
