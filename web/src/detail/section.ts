// Details as data: a part of them is a heading, sentences, tables and pairs.

export interface Cell {
  text: string;
  title?: string; // every digit, or the whole of what is shortened
  bar?: number; // of its length; above 1 it is full and says so
  note?: string; // small, under the text
  tone?: 'better' | 'worse'; // of the note
  key?: string; // of the row that the text leads to
}

export interface Table {
  name: string; // for screen readers, and as summary where it is folded
  heads: string[]; // the first column names the rows
  numeric: number[]; // columns that stand to the right
  rows: (string | Cell)[][];
  folded?: boolean;
}

export interface Pair {
  name: string;
  value: string;
  title?: string;
}

export interface Section {
  title: string;
  origin?: string;
  text: string[];
  tables: Table[];
  pairs: Pair[];
}

/// Without tables that have no rows; undefined when nothing is left to say.
export function section(title: string, parts: Partial<Section>): Section | undefined {
  const tables = (parts.tables ?? []).filter((table) => table.rows.length > 0);
  const text = parts.text ?? [];
  const pairs = parts.pairs ?? [];
  return tables.length + text.length + pairs.length === 0 ? undefined : { title, origin: parts.origin, text, tables, pairs };
}

export function table(name: string, heads: string[], numeric: number[], rows: (string | Cell)[][], folded = false): Table {
  return { name, heads, numeric, rows, folded };
}
