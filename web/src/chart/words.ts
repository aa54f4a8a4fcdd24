// A dot in words: for the pointer, and for those who have none.
import { kDoubt, marked } from '../data/doubt';
import { units_of } from '../data/integers';
import { number, percent, rate_unit, si } from '../format';
import { ceiling_words } from '../names';
import type { Dot } from './model';

/// The first line is the name. `inclusive` figures have no bound, nor have integer operations.
export function dot_words(dot: Dot, inclusive: boolean, intops = false): string[] {
  const { row, spread } = dot;
  const units = units_of(intops);
  const bound = inclusive || intops ? undefined : row.region.bound?.code;
  const interval = spread === undefined ? '' : ` (${si(spread.low, '')} to ${si(spread.high, '')})`;
  return [
    `${row.rank} ${row.name}`,
    row.place,
    `${si(dot.y, units.rate)}${interval}`,
    `${percent(dot.share, 1)} of the time`,
    dot.x === undefined
      ? marked(`${dot.level} is never crossed`, dot.doubtful)
      : `${marked(number(dot.x), dot.doubtful)} ${units.per_byte} at ${dot.level}`,
    bound === undefined ? '' : `bound by ${ceiling_words(bound.ceiling)}: ${percent(bound.fraction)} of ${si(bound.attainable, rate_unit(bound.unit))}`,
    dot.doubtful ? kDoubt : '',
  ].filter((line) => line !== '');
}
