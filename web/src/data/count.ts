// Counts reach 2^64-1, further than a double holds exactly. Where JSON.parse would round one, it is
// kept as its decimal digits: a `Count` is a number when that is exact, else a string.

export type Count = number | string;

const kMayBeLong = /[:,[]\s*\d{16,}\s*[,}\]]/;
const kToken = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/// JSON.parse, with integers that a double cannot hold as strings of digits.
export function parse_exactly(text: string): unknown {
  return JSON.parse(kMayBeLong.test(text) ? text.replace(kToken, quote_long_integer) : text);
}

function quote_long_integer(token: string): string {
  const is_long = token.length > 15 && /^-?\d+$/.test(token);
  return is_long && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
}

/// For ratios and for three digits: the nearest double.
export function to_number(count: Count): number {
  return Number(count);
}

/// The same of a count that may not be known.
export function known(count: Count | undefined): number | undefined {
  return count === undefined ? undefined : Number(count);
}

/// All digits, in groups of three: "18 446 744 073 709 551 615".
export function grouped(count: Count): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}

export function sum(counts: readonly Count[]): Count {
  const rounded = counts.reduce<number>((total, count) => total + Number(count), 0);
  if (Number.isSafeInteger(rounded) && counts.every((count) => typeof count === 'number')) {
    return rounded;
  }
  return counts.reduce<bigint>((total, count) => total + BigInt(count), 0n).toString();
}
