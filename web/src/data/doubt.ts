// Traffic from sampled lines that may not speak for all, and what follows from it: the mark and the
// words of the terminal's table (src/render/document/run/loop_table.cpp).
import { kUnknown, number } from '../format';
import type { LevelFigures } from './rows';

export const kDoubt = '? from sampled lines, which may not speak for all: --traffic=exact is right';
export const kUnbounded = 'unb. nothing crosses that boundary: the intensity is unbounded';

/// What is unknown anyway carries no mark.
export function marked(text: string, doubtful: boolean | undefined): string {
  return doubtful && text !== kUnknown ? `${text}?` : text;
}

/// Of the marks that these figures carry.
export function legend(figures: readonly LevelFigures[]): string[] {
  return [
    ...(figures.some((at) => at.unbounded) ? [kUnbounded] : []),
    ...(figures.some((at) => at.doubtful) ? [kDoubt] : []),
  ];
}

export function intensity_text(at: LevelFigures | undefined): string {
  return marked(at?.unbounded ? 'unb.' : number(at?.intensity), at?.doubtful);
}
