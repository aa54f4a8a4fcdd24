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

/// At most `most` letters: of a qualified name the last components.
export function short_name(name: string, most: number): string {
  const brief = brief_name(name);
  if (brief.length <= most) {
    return brief;
  }
  const parts = brief.split('::');
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
  counted: 'counted exactly by the instrumented program: no sampling, no spread',
  simulated:
    'from a cache model fed with every access the program made; real hardware also prefetches and does not replace by strict LRU',
  modelled: 'computed from a formula, not observed',
  datasheet: "copied from a vendor's document",
  assumed: 'neither observed nor documented: a stated assumption',
};
