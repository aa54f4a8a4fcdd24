// The level at which a region is bound: where its number stands in the chart and in the table.

interface Crossing {
  bytes?: number;
}

/// The level of the ceiling that binds this code where that is a bandwidth. Where another roof binds,
/// or none is known: the level whose traffic takes the longest at its roof, which is the one with the
/// least product of intensity and bandwidth. `levels` stand innermost first.
export function binding_level(
  levels: Readonly<Record<string, Crossing>>,
  ceiling: string | undefined,
  roofs: ReadonlyMap<string, number>, // byte/s by level
): string | undefined {
  const [kind, stated = ''] = (ceiling ?? '').split('.');
  if (kind === 'bandwidth' && levels[stated]?.bytes !== undefined) {
    return stated;
  }
  const known = Object.entries(levels).flatMap(([level, { bytes }]) => (bytes === undefined ? [] : [{ level, bytes }]));
  const seconds = ({ level, bytes }: { level: string; bytes: number }) => bytes / (roofs.get(level) ?? Infinity);
  const longest = known.reduce((most, part) => Math.max(most, seconds(part)), 0);
  return (longest > 0 ? known.find((part) => seconds(part) === longest) : known[0])?.level;
}
