import { describe, expect, it } from 'vitest';

import { ceiling, page, profile } from '../for_tests';
import type { Page } from '../data/page';
import { all_results } from '../data/rows';
import { kDefaultView, type View } from '../view/view';
import { above_sentences } from './above';
import { chart_model, shown_machines } from './model';

const kRoofs = [1, 2].map((threads) => ceiling(`bandwidth.DRAM.load.avx2.t${threads}`, 30e9 * threads));
const document: Page = {
  ...page(profile([], kRoofs), profile([], kRoofs)),
  machines: [{ ...profile([], kRoofs).machine, name: 'other' }],
  above_roofs: [
    { result: 0, threads: 1, level: 'DRAM', text: 'one' },
    { result: 0, threads: 2, level: 'DRAM', text: 'two' },
    { result: 1, threads: 1, level: 'DRAM', text: 'of another result' },
    { machine: 0, threads: 1, level: 'DRAM', text: 'of another machine' },
  ],
};

function sentences(change: Partial<View> = {}) {
  const view = { ...kDefaultView, ...change };
  const results = all_results(document).slice(0, 1);
  const model = chart_model({ page: document, results, rows: [], figures: (row) => row.self, view });
  return above_sentences(document, shown_machines(document, results, view.machines), model);
}

describe('what is said of patterns above a roof', () => {
  it('is about the roofs that are drawn', () => {
    expect(sentences()).toEqual(['one']);
    expect(sentences({ threads: 2 })).toEqual(['two']);
    expect(sentences({ hidden_levels: ['DRAM'] })).toEqual([]);
  });

  it('names the machine where there are several', () => {
    expect(sentences({ machines: [0] })).toEqual(['m: one', 'other: of another machine']);
  });
});
