// From where a loop was to where it is now.
import type { Comparison } from '../data/page';
import type { PlacedMark } from './placed';

export interface Arrow {
  key: string;
  path: string;
}

/// Shorter ones would be all head.
const kShortest = 14;

function arrow_path(from: { x: number; y: number; radius: number }, to: { x: number; y: number; radius: number }): string | undefined {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length - from.radius - to.radius < kShortest) {
    return undefined;
  }
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const [x1, y1] = [from.x + ux * from.radius, from.y + uy * from.radius];
  const [x2, y2] = [to.x - ux * (to.radius + 2), to.y - uy * (to.radius + 2)];
  const head = `M${x2},${y2}L${x2 - 9 * ux - 4 * uy},${y2 - 9 * uy + 4 * ux}M${x2},${y2}L${x2 - 9 * ux + 4 * uy},${y2 - 9 * uy - 4 * ux}`;
  return `M${x1},${y1}L${x2},${y2}${head}`;
}

/// One for each step of each loop of which both ends are drawn, at the outermost level of both.
export function arrows(comparison: Comparison | undefined, marks: readonly PlacedMark[]): Arrow[] {
  const by_key = new Map(marks.map((mark) => [mark.mark.row.key, mark]));
  return (comparison?.loops ?? []).flatMap((loop) =>
    loop.places.slice(1).flatMap((place, index) => {
      const before = loop.places[index];
      const from = by_key.get(`${before?.result}.${before?.region}`);
      const to = by_key.get(`${place.result}.${place.region}`);
      const path = from === undefined || to === undefined ? undefined : arrow_path(from.main, to.main);
      return path === undefined ? [] : [{ key: `${place.result}.${place.region}`, path }];
    }),
  );
}
