import { expect, it } from 'vitest';

import { csv_field } from './csv';

it('fields are quoted where they must be, and are never formulas', () => {
  expect([undefined, 0, 1.5, '18446744073709551615', 'plain'].map(csv_field)).toEqual(['', '0', '1.5', '18446744073709551615', 'plain']);
  expect(csv_field('a,"b"\nc')).toBe('"a,""b""\nc"');
  expect(csv_field('=cmd()')).toBe("'=cmd()");
  expect(csv_field(-1)).toBe('-1');
});
