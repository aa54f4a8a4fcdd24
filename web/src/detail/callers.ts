// Who calls a region: the way by which most of its time came to it.
import type { Region } from '../data/page';
import { percent } from '../format';
import { its_rank } from './ranks';
import type { Section } from './section';
import { section, table } from './section';

export function callers_section(region: Region, origin: string): Section | undefined {
  const callers = region.callers ?? [];
  return section(its_rank(region) === '' ? 'Called from' : `Called from, on ${its_rank(region)}`, {
    origin,
    tables: [
      table('Who calls it, the nearest first', ['caller', 'stacks'], [1],
        callers.map(({ function: name, file, line, share }) => [
          { text: name, ...(file !== undefined && line !== undefined ? { note: `${file}:${line}` } : {}) },
          { text: percent(share), bar: share },
        ])),
    ],
  });
}
