// What changed in one step of a comparison, loop by loop.
import { marked } from '../data/doubt';
import { to_number } from '../data/count';
import type { Change, ComparedLoop, Comparison, Place } from '../data/page';
import { kUnknown, number, rate_unit, si } from '../format';
import { ceiling_words, told_apart } from '../names';
import type { Cell, Table } from './section';
import { table } from './section';

export const kMostChanges = 200;

const kUnits: Record<string, string> = { s: 's', flop: 'Flop', byte: 'B', op: 'Op' };
/// As below the table of `ridge compare` (src/render/document/compare/cells.cpp).
const kDoubtful = 'doubtful: the run was cut short, or the simulation does not vouch for this traffic';
const kVerdicts: Record<string, string> = {
  'within-spread': 'within the spread',
  'one-run': 'one run each',
  'not-comparable': 'not comparable',
};

export interface StepChanges {
  table: Table;
  gone: Cell[];
  fresh: Cell[];
  left_out: number;
}

function place_of(loop: ComparedLoop, result: number): Place | undefined {
  return loop.places.find((place) => place.result === result);
}

function name_cell(loop: ComparedLoop, to: Place | undefined, names: ReadonlyMap<string, string>): Cell {
  const place = to ?? loop.places.at(-1);
  const how = to?.matched_by;
  return {
    text: names.get(loop.name) ?? loop.name,
    title: loop.function,
    key: place === undefined ? undefined : `${place.result}.${place.region}`,
    note: loop.kind === 'program' ? 'the program' : how === undefined || how === 'first' || how === 'position' ? '' : `matched: ${how}`,
  };
}

function change_cell(change: Change | undefined): string | Cell {
  if (change === undefined) {
    return kUnknown;
  }
  const unit = kUnits[change.unit] ?? rate_unit(change.unit);
  const text = [change.before, change.after]
    .map((value) => marked(si(value && to_number(value.value), unit), value?.doubtful !== undefined))
    .join(' → ');
  const ratio = change.ratio === undefined ? '' : `${number(change.ratio)}× `;
  // Less is better, but for the performance; work is neither.
  const less = (change.ratio ?? 1) < 1;
  const better = less !== (change.quantity === 'performance');
  const valued = change.verdict === 'changed' && change.quantity !== 'flops';
  return {
    text,
    title: change.verdict === 'doubtful' ? kDoubtful : undefined,
    note: ratio + (kVerdicts[change.verdict] ?? change.verdict),
    tone: valued ? (better ? 'better' : 'worse') : undefined,
  };
}

function bound_text(from: Place | undefined, to: Place | undefined): string {
  const words = [from, to].map((place) => (place?.ceiling === undefined ? kUnknown : ceiling_words(place.ceiling)));
  return words[0] === words[1] ? (words[0] ?? kUnknown) : words.join(' → ');
}

/// The quantities shown, of those that any loop of the step has.
function quantities(comparison: Comparison, step: number): string[] {
  const known = new Set(
    comparison.loops.flatMap((loop) => loop.steps.filter((part) => part.step === step).flatMap((part) => part.changes.map((change) => change.quantity))),
  );
  const traffic = [...known].filter((quantity) => quantity.startsWith('traffic.'));
  return ['time', 'performance', 'flops', ...traffic].filter((quantity) => known.has(quantity));
}

export function step_changes(comparison: Comparison, step: number): StepChanges {
  const { from = 0, to = 1 } = comparison.steps[step] ?? {};
  const shown = quantities(comparison, step);
  const names = told_apart(comparison.loops.map((loop) => loop.name));
  const in_both = comparison.loops.filter((loop) => place_of(loop, from) && place_of(loop, to));
  const only = (here: number, not_there: number) =>
    comparison.loops
      .filter((loop) => place_of(loop, here) && !place_of(loop, not_there))
      .map((loop) => name_cell(loop, place_of(loop, here), names));
  const rows = [...(comparison.program === undefined ? [] : [comparison.program]), ...in_both.slice(0, kMostChanges)].map((loop) => {
    const changes = loop.steps.find((part) => part.step === step)?.changes ?? [];
    return [
      name_cell(loop, place_of(loop, to), names),
      ...shown.map((quantity) => change_cell(changes.find((change) => change.quantity === quantity))),
      bound_text(place_of(loop, from), place_of(loop, to)),
    ];
  });
  const heads = ['region', ...shown.map((quantity) => quantity.replace(/^traffic\.(.*)/, '$1 traffic')), 'bound by'];
  return {
    table: table('Changes', heads, shown.map((_, index) => index + 1), rows),
    gone: only(from, to),
    fresh: only(to, from),
    left_out: in_both.length - Math.min(kMostChanges, in_both.length),
  };
}
