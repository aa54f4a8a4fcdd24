// What to do next, as the page shows it: the steps of the file with the rows they are about.
import { number } from '../format';
import type { Finding, NextStep } from './page';
import type { ResultRows, Row } from './rows';

export interface ShownStep {
  step: NextStep;
  row?: Row; // with the most to gain
  others: Row[];
  gain: string; // "1.2 to 1.5×", empty where it is unknown
  finding?: Finding; // its evidence
}

/// "1.2 to 1.5×", "at most 2×"; one number where both ends print alike.
export function gain_words({ gain_program: gain, bound }: NextStep): string {
  if (gain === undefined) {
    return '';
  }
  const [low, high] = [gain.low, gain.high].map((end) => number(Number(end.toPrecision(2))));
  return bound ? `at most ${high}×` : low === high ? `about ${high}×` : `${low} to ${high}×`;
}

/// At most five, in the order of the file.
export function next_steps(result: ResultRows): ShownStep[] {
  return (result.profile.next_steps ?? []).slice(0, 5).map((step) => {
    const row = step.region === undefined ? undefined : result.by_id.get(step.region);
    const others = (step.regions ?? []).flatMap((id) => (id === step.region ? [] : (result.by_id.get(id) ?? [])));
    const finding = row?.region.findings.find((candidate) => candidate.code === step.code);
    return { step, row, others, gain: gain_words(step), finding };
  });
}
