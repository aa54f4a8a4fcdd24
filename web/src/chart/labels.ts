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

/// What is taken of the drawing, in cells that make looking fast: thousands of specks may be in it.
export class Taken {
  static readonly kCell = 48;
  private readonly cells = new Map<string, Box[]>();

  constructor(private readonly inside: Box) {}

  private around(box: Box): string[] {
    const cell = (at: number) => Math.floor(at / Taken.kCell);
    const keys: string[] = [];
    for (let x = cell(box.x); x <= cell(box.x + box.width); x++) {
      for (let y = cell(box.y); y <= cell(box.y + box.height); y++) {
        keys.push(`${x},${y}`);
      }
    }
    return keys;
  }

  take(...boxes: Box[]): void {
    for (const box of boxes) {
      for (const key of this.around(box)) {
        this.cells.set(key, [...(this.cells.get(key) ?? []), box]);
      }
    }
  }

  /// Inside of the drawing, and over nothing that is taken.
  is_free(box: Box): boolean {
    const { inside } = this;
    return box.x >= inside.x && box.y >= inside.y && box.x + box.width <= inside.x + inside.width && box.y + box.height <= inside.y + inside.height
      && this.around(box).every((key) => !this.cells.get(key)?.some((other) => overlap(box, other)));
  }

  /// Takes the first of the places of which every box is free.
  first<Place extends { boxes: Box[] }>(places: Iterable<Place>): Place | undefined {
    for (const place of places) {
      if (place.boxes.every((box) => this.is_free(box))) {
        this.take(...place.boxes);
        return place;
      }
    }
    return undefined;
  }
}
