// What the reader chose to see, and its form in the address: `#axis=DRAM&min=1&q=jacobi`. Only what
// differs from the default is written, so that a plain page has a plain address.

export type Tab = 'loops' | 'nest' | 'changes' | 'machine' | 'about';
/// Regions with floating-point work, without, or all.
export type Work = '' | 'flops' | 'none';
export type Theme = 'auto' | 'light' | 'dark';

export interface View {
  results: number[]; // shown; empty = all
  machines: number[]; // overlaid
  threads: number; // of the roofs; 0 = as the program
  precision: string; // of the ceilings; empty = with the most work
  axis: string; // a level; 'all' = each level its own dot; empty = the one that binds of one result, the outermost of several
  hidden_levels: string[];
  hidden_ceilings: string[];
  limits: boolean; // theoretical lines
  measured: boolean; // measured roofs
  kernels: boolean; // the strip of familiar kernels
  log2: boolean;
  intops: boolean; // the chart counts integer operations
  inclusive: boolean;
  min_share: number; // percent
  query: string;
  file: string;
  finding: string;
  work: Work;
  selected: string; // key of a row
  tab: Tab;
  sort: string; // column, "-" before it = descending
  columns: string[]; // empty = the default ones
  theme: Theme;
  zoom: number[]; // x low, x high, y low, y high; empty = everything
}

export const kDefaultView: Readonly<View> = {
  results: [],
  machines: [],
  threads: 0,
  precision: '',
  axis: '',
  hidden_levels: [],
  hidden_ceilings: [],
  limits: true,
  measured: true,
  kernels: true,
  log2: false,
  intops: false,
  inclusive: false,
  min_share: 0,
  query: '',
  file: '',
  finding: '',
  work: '',
  selected: '',
  tab: 'loops',
  sort: '-share',
  columns: [],
  theme: 'auto',
  zoom: [],
};

/// Names in the address where they differ; they are public, since people keep links.
const kNames: Partial<Record<keyof View, string>> = {
  hidden_levels: 'hide',
  hidden_ceilings: 'without',
  min_share: 'min',
  query: 'q',
  selected: 'region',
};

const kWorks: readonly Work[] = ['', 'flops', 'none'];
const kTabs: readonly Tab[] = ['loops', 'nest', 'changes', 'machine', 'about'];
const kThemes: readonly Theme[] = ['auto', 'light', 'dark'];

type Value = View[keyof View];

function text_of(value: Value): string {
  return Array.isArray(value)
    ? value.map((item) => String(item).replace(/[\\,]/g, '\\$&')).join(',')
    : typeof value === 'boolean'
      ? value ? '1' : '0'
      : String(value);
}

function split_list(text: string): string[] {
  const items = text.match(/(?:\\.|[^,\\])+/gs) ?? [];
  return items.map((item) => item.replace(/\\(.)/gs, '$1'));
}

/// Of the type of `like`; undefined when the text is nothing of the kind.
function value_of(text: string, like: Value): Value | undefined {
  if (typeof like === 'boolean') {
    return text === '1' ? true : text === '0' ? false : undefined;
  }
  if (typeof like === 'number') {
    const parsed = Number(text);
    return text !== '' && Number.isFinite(parsed) && parsed >= 0 ? parsed : undefined;
  }
  return Array.isArray(like) ? split_list(text) : text;
}

function numbers(items: readonly unknown[]): number[] {
  return items.map(Number).filter((item) => Number.isFinite(item) && item >= 0);
}

/// The fragment without "#"; empty for the default view.
export function encode_view(view: View): string {
  const parts = new URLSearchParams();
  for (const key of Object.keys(kDefaultView) as (keyof View)[]) {
    if (text_of(view[key]) !== text_of(kDefaultView[key])) {
      parts.set(kNames[key] ?? key, text_of(view[key]));
    }
  }
  return parts.toString();
}

/// Whatever is unknown or malformed is left at its default.
export function decode_view(fragment: string): View {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const view: Record<string, Value> = {};
  for (const key of Object.keys(kDefaultView) as (keyof View)[]) {
    const text = parts.get(kNames[key] ?? key);
    const like = kDefaultView[key];
    const value = text === null ? undefined : value_of(text, like);
    view[key] = value ?? (Array.isArray(like) ? [] : like);
  }
  return checked(view as unknown as View);
}

function checked(view: View): View {
  view.results = numbers(view.results);
  view.machines = numbers(view.machines);
  const zoom = numbers(view.zoom);
  const [x_low = 0, x_high = 0, y_low = 0, y_high = 0] = zoom;
  view.zoom = zoom.length === 4 && 0 < x_low && x_low < x_high && 0 < y_low && y_low < y_high ? zoom : [];
  // Links of older pages lead to a second table, of regions without flops.
  view.work = (view.tab as string) === 'moves' ? 'none' : kWorks.includes(view.work) ? view.work : kDefaultView.work;
  view.tab = kTabs.includes(view.tab) ? view.tab : kDefaultView.tab;
  view.theme = kThemes.includes(view.theme) ? view.theme : kDefaultView.theme;
  return view;
}
