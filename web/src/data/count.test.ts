import { describe, expect, it } from 'vitest';

import { grouped, parse_exactly, sum, to_number } from './count';

describe('counts', () => {
  it('beyond 2^53 keep their digits', () => {
    const parsed = parse_exactly('{"a":18446744073709551615,"b":[9007199254740993,9007199254740991],"c":0.9869918699186991}');
    expect(parsed).toEqual({ a: '18446744073709551615', b: ['9007199254740993', 9007199254740991], c: 0.9869918699186991 });
    expect(grouped('18446744073709551615')).toBe('18 446 744 073 709 551 615');
    expect(to_number('18446744073709551615')).toBe(2 ** 64);
  });

  it('inside of names are left alone', () => {
    const text = '{"n":"a\\":12345678901234567890,","m":"\\\\","k":12345678901234567890}';
    expect(parse_exactly(text)).toEqual({ n: 'a":12345678901234567890,', m: '\\', k: '12345678901234567890' });
  });

  it('add up exactly', () => {
    expect(sum([1, 2, 3])).toBe(6);
    expect(sum([])).toBe(0);
    expect(sum([2 ** 53 - 1, 2 ** 53 - 1])).toBe('18014398509481982');
    expect(sum(['18446744073709551615', 1])).toBe('18446744073709551616');
  });

  it('are grouped by three', () => {
    expect([0, 12, 123, 1234, 1234567].map(grouped)).toEqual(['0', '12', '123', '1 234', '1 234 567']);
  });
});
