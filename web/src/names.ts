// Words for identifiers, as src/render/chart/names.cpp has them.
import type { Profile, Region } from './data/page';

const kIsaWords: Record<string, string> = {
  scalar: 'Scalar',
  sse: 'SSE',
  sse2: 'SSE2',
  avx: 'AVX',
  avx2: 'AVX2',
  avx512: 'AVX-512',
  amx: 'AMX',
  neon: 'NEON',
  sve: 'SVE',
};

export function isa_words(isa: string): string {
  return Object.hasOwn(kIsaWords, isa) ? (kIsaWords[isa] as string) : isa;
}

/// "AVX2 FMA", "Scalar ADD fp32", "DRAM copy"; an id of another form as it is.
export function ceiling_words(id: string): string {
  const [kind, first = '', second = '', third = ''] = id.split('.');
  if (kind === 'compute' && third !== '') {
    return `${isa_words(second)} ${third.toUpperCase()}${first === 'fp64' ? '' : ` ${first}`}`;
  }
  return kind === 'bandwidth' && second !== '' ? `${first} ${second}` : id;
}

export function file_name(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function with_line(file: string, region: Region): string {
  if (region.line === undefined) {
    return file;
  }
  const place = `${file}:${region.line}`;
  const column = region.column === undefined ? '' : `:${region.column}`;
  const named = column !== '' && region.name.endsWith(`:${region.line}${column}`);
  return named ? place + column : place;
}

/// The name without the place that loops of one function carry to tell them apart.
export function plain_name(region: Region): string {
  const name = region.name === '' ? region.function : region.name;
  if (region.file === undefined) {
    return name;
  }
  const place = ` ${with_line(file_name(region.file), region)}`;
  return name.length > place.length && name.endsWith(place) ? name.slice(0, -place.length) : name;
}

/// Without template arguments and anonymous namespaces; names of operators keep their brackets.
export function brief_name(name: string): string {
  if (/operator\s*[<>-]/.test(name)) {
    return name;
  }
  let depth = 0;
  let brief = '';
  for (const letter of name.replaceAll('(anonymous namespace)::', '')) {
    depth += letter === '<' ? 1 : 0;
    brief += depth === 0 ? letter : '';
    depth -= letter === '>' && depth > 0 ? 1 : 0;
  }
  return depth === 0 && brief !== '' ? brief : name;
}

/// A name and its lists of template arguments, with `<>` where each stood.
function without_arguments(name: string): { frame: string; lists: string[][] } {
  const lists: string[][] = [];
  let [depth, frame] = [0, ''];
  for (const letter of name.replaceAll('(anonymous namespace)::', '')) {
    depth -= letter === '>' && depth > 0 ? 1 : 0;
    const list = lists.at(-1);
    if (depth === 0) {
      frame += letter;
    } else if (depth === 1 && letter === ',') {
      list?.push('');
    } else if (list !== undefined) {
      list[list.length - 1] += letter;
    }
    if (letter === '<') {
      lists.push(...(depth === 0 ? [['']] : []));
      depth += 1;
    }
  }
  return { frame, lists };
}

/// Of names that are one without their template arguments, each with the arguments that differ:
/// f<double, 4> and f<double, 16> are "f<4>" and "f<16>".
function differing(names: readonly string[]): string[] {
  const parts = names.map(without_arguments);
  const shape = (of: (typeof parts)[number]) => `${of.frame} ${of.lists.map((list) => list.length).join()}`;
  if (names.some((name) => brief_name(name) === name) || new Set(parts.map(shape)).size > 1) {
    return [...names];
  }
  const short = parts.map(({ frame, lists }) => {
    let at = -1;
    return frame.replace(/<>/g, () => {
      at += 1;
      const differ = (_: string, place: number) => new Set(parts.map((other) => other.lists[at]?.[place])).size > 1;
      const kept = (lists[at] ?? []).filter(differ).map((argument) => argument.trim());
      return kept.length === 0 ? '' : `<${kept.join(', ')}>`;
    });
  });
  return new Set(short).size === names.length ? short : [...names];
}

/// Short forms that tell different names apart, by name.
export function told_apart(names: Iterable<string>): Map<string, string> {
  const alike = new Map<string, Set<string>>();
  for (const name of names) {
    const brief = brief_name(name);
    alike.set(brief, (alike.get(brief) ?? new Set()).add(name));
  }
  const short = new Map<string, string>();
  for (const [brief, group] of alike) {
    const members = [...group];
    const forms = members.length === 1 ? [brief] : differing(members);
    members.forEach((name, at) => short.set(name, forms[at] ?? name));
  }
  return short;
}

/// A function without its parameters.
export function called(signature: string): string {
  const name = signature.replaceAll('(anonymous namespace)::', '');
  const end = name.indexOf('(', name.includes('operator()') ? name.indexOf('operator()') + 10 : 1);
  return brief_name(end > 0 ? name.slice(0, end) : name);
}

/// "a::b<c::d>::e" in its components: a, b<c::d>, e.
function components(name: string): string[] {
  let depth = 0;
  const marked = [...name].map((letter) => {
    depth += letter === '<' ? 1 : letter === '>' && depth > 0 ? -1 : 0;
    return letter === ':' && depth > 0 ? '\0' : letter;
  });
  return marked.join('').split('::').map((part) => part.replaceAll('\0', ':'));
}

/// At most `most` letters: of a qualified name the last components; what must go goes from its ends.
export function short_name(name: string, most: number): string {
  const brief = name;
  if (brief.length <= most) {
    return brief;
  }
  const parts = components(brief);
  let tail = parts.at(-1) ?? brief;
  for (let at = parts.length - 2; at >= 0 && tail.length + (parts[at]?.length ?? 0) + 3 <= most; at--) {
    tail = `${parts[at]}::${tail}`;
  }
  const whole = tail === brief ? tail : `…${tail}`;
  return whole.length <= most ? whole : `${whole.slice(0, most - 1)}…`;
}

/// "dir/heat2d.cpp:42"; empty when the file is unknown.
export function source_location(region: Region): string {
  return region.file === undefined ? '' : with_line(region.file, region);
}

/// "heat2d.cpp:42"
export function brief_location(region: Region): string {
  return region.file === undefined ? '' : with_line(file_name(region.file), region);
}

export function program_name(profile: Profile): string {
  return file_name(profile.program.argv[0] ?? '') || 'program';
}

/// Arguments with blanks or quotes stand in single quotes.
export function command_line(argv: readonly string[]): string {
  const plain = /^[^\s'"\\$`*?;&|<>()]+$/;
  return argv
    .map((argument) => (plain.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

/// One sentence on what an origin means.
export const kOrigins: Record<string, string> = {
  measured: 'timed or sampled on this machine while the code ran; carries a spread',
  counted: 'every execution was counted: no sampling, no spread',
  simulated:
    'from a cache model fed with every access the program made; real hardware also prefetches and does not replace by strict LRU',
  modelled: 'computed from a formula, not observed',
  datasheet: "copied from a vendor's document",
  assumed: 'neither observed nor documented: a stated assumption',
};
