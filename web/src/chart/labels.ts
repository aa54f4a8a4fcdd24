// Labels that do not cover one another.

/// Places as near as possible to those wanted, at least `gap` apart, within [low, high] while there
/// is room; same order as the input.
export function spread_apart(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const placed: number[] = Array.from({ length: wanted.length }, () => 0);
  // Blocks of touching labels: a block stands where its members want to be on average.
  const blocks: { members: number[]; start: number }[] = [];
  const start_of = (members: number[]) => {
    const mean = members.reduce((total, index, at) => total + (wanted[index] ?? 0) - at * gap, 0) / members.length;
    return Math.max(low, Math.min(mean, high - (members.length - 1) * gap));
  };
  for (const index of order) {
    let block = { members: [index], start: start_of([index]) };
    let previous = blocks.at(-1);
    while (previous !== undefined && previous.start + previous.members.length * gap > block.start) {
      blocks.pop();
      const members = [...previous.members, ...block.members];
      block = { members, start: start_of(members) };
      previous = blocks.at(-1);
    }
    blocks.push(block);
  }
  for (const block of blocks) {
    block.members.forEach((index, at) => (placed[index] = block.start + at * gap));
  }
  return placed;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/// The first of the places that lies inside and covers nothing taken; it is taken then.
export function first_free(places: readonly Box[], inside: Box, taken: Box[]): Box | undefined {
  const free = places.find(
    (place) =>
      place.x >= inside.x &&
      place.y >= inside.y &&
      place.x + place.width <= inside.x + inside.width &&
      place.y + place.height <= inside.y + inside.height &&
      !taken.some((other) => overlap(place, other)),
  );
  if (free !== undefined) {
    taken.push(free);
  }
  return free;
}
