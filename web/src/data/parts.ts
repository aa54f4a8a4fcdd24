// A page of many regions holds its document in two parts (src/render/format/html/page.cpp): the second has
// the regions with little time, one a line; a line break in the first marks the place of each. No
// other line break stands in either.

export function is_part(text: string): boolean {
  return text.includes('\n');
}

/// How many regions the other part holds.
export function missing(first: string): number {
  return first.split('\n').length - 1;
}

/// The document as Ridge wrote it. Throws when the file ends too early.
export function joined(first: string, rest: string): string {
  const lines = rest.split('\n');
  const parts = first.split('\n');
  if (lines.length !== parts.length) {
    throw new Error('the file is cut off');
  }
  return parts.map((part, at) => part + lines[at]).join('');
}
