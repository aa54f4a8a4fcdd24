// A page of many regions holds its document in two parts (src/render/format/html/page.cpp): the second has
// the regions with little time, one a line; a line break in the first marks the place of each. No
// other line break stands in either. The second is packed: base64 of a zlib stream.

export function is_part(text: string): boolean {
  return text.includes('\n');
}

/// How many regions the other part holds.
export function missing(first: string): number {
  return first.split('\n').length - 1;
}

/// The second part. Rejects, with what to say to the reader, where the browser cannot unpack it and
/// when the file ends too early.
export async function unpacked(base64: string): Promise<string> {
  if (typeof DecompressionStream === 'undefined') {
    throw new Error(
      'this browser cannot unpack them. Chrome or Edge 93, Firefox 113, Safari 16.4 or later can; ' +
        'profile.json and `ridge report` in a terminal have all',
    );
  }
  try {
    const characters = atob(base64);
    const bytes = new Uint8Array(characters.length);
    for (let at = 0; at < bytes.length; at++) {
      bytes[at] = characters.charCodeAt(at); // Uint8Array.from takes ten times as long
    }
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return await new Response(stream).text();
  } catch {
    throw new Error('the file is cut off');
  }
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
