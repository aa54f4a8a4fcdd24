// The report in a real browser: what readers do with it, and what must never happen.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';

import {
  document_of, downloaded, fixture, machine_fixture, many_regions, open, page_of, percent, report, si, start_browser,
} from './support.mjs';

const kHostile = '</script><img src=x onerror=alert(1)><!--<script>\u2028alert(2)';

let browser;
before(async () => {
  browser = await start_browser();
});
after(() => browser.close());

/// Opens, lets `use` do its work, and holds the page to silence.
async function with_page(file, options, use) {
  const opened = await open(browser, file, options);
  try {
    await use(opened.page);
    assert.deepEqual(opened.problems, []);
  } finally {
    await opened.close();
  }
}

const heat = () => report('heat', fixture());
const settled = (page) => page.waitForTimeout(250);

/// What axe finds, in a page that was opened with bypassCSP.
async function barriers(page) {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = await page.evaluate(() => window.axe.run(document));
  return found.violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).slice(0, 3).join(' ')}`);
}

describe('numbers', () => {
  it('of the table equal the document', async () => {
    await with_page(heat(), { fragment: '#columns=share,seconds,performance,flops,i.DRAM,v.L2,attainable,fraction,machine' }, async (page) => {
      const { profile } = (await document_of(page)).results[0];
      const rows = page.locator('#panel tbody tr');
      assert.ok((await rows.count()) > 0);
      for (const row of await rows.all()) {
        const key = await row.getAttribute('data-region');
        const of = profile.regions.find((region) => `0.${region.id}` === key);
        const cell = async (column) => (await row.locator(`[data-column="${column}"]`).innerText()).trim();
        const uncertain = of.notes.some((note) => note.code === 'uncertain-share') ? '~' : '';
        const seconds = of.time_seconds.self?.value;
        assert.equal(await cell('share'), seconds ? uncertain + percent(seconds / profile.program.wall_seconds, 1) : '-');
        assert.equal(await cell('seconds'), si(seconds, 's'));
        assert.equal(await cell('performance'), si(of.performance, 'Flop/s'));
        assert.equal(await cell('flops'), si(of.flops?.total, 'Flop'));
        // Of no work, 0: the file has no key.
        assert.equal(Number(await cell('i.DRAM')) || 0, Number((of.intensity.DRAM ?? 0).toPrecision(3)));
        assert.equal(await cell('v.L2'), si(of.traffic.L2 && of.traffic.L2.read + of.traffic.L2.written, 'B'));
        assert.equal(await cell('attainable'), si(of.bound?.code?.attainable, { 'flop/s': 'Flop/s', 'byte/s': 'B/s' }[of.bound?.code?.unit]));
        assert.equal(await cell('fraction'), percent(of.bound?.code?.fraction));
        assert.equal(await cell('machine'), percent(of.bound?.machine?.fraction));
      }
    });
  });

  it('of the details equal the document, beyond 2^53 too', async () => {
    const profile = fixture();
    const loop = profile.regions.find((region) => region.kind === 'loop' && region.flops.total > 0);
    loop.iterations = 111;
    const text = JSON.stringify(profile).replace('"iterations":111', '"iterations":18446744073709551615');
    await with_page(report('long', text), { fragment: `#region=0.${loop.id}` }, async (page) => {
      const detail = page.locator('aside.detail');
      assert.match(await detail.innerText(), /18 446 744 073 709 551 615 iterations/);
      const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
      for (const count of [loop.flops.total, loop.traffic.DRAM.read, loop.traffic.L2.written]) {
        assert.ok((await detail.locator(`[title="${grouped(count)}"]`).count()) > 0, `${count}`);
      }
      for (const finding of (await document_of(page)).results[0].profile.regions.find((region) => region.id === loop.id).findings) {
        assert.ok((await detail.innerText()).includes(finding.text));
      }
    });
  });

  it('of sampled lines that may not speak for all are marked', async () => {
    const profile = fixture();
    const loop = profile.regions.find((region) => region.kind === 'loop' && region.flops.total > 0 && region.traffic.L2?.read > 0 && region.time_seconds.self);
    loop.traffic_mode = 'sampled';
    loop.notes.push({ code: 'sampled-uneven', text: 'sampled lines do not speak for all' });
    loop.traffic.DRAM = { read: 0, written: 0 };
    await with_page(report('sampled', profile), { fragment: `#columns=i.L1,i.L2,v.L2,i.DRAM&axis=L2&region=0.${loop.id}` }, async (page) => {
      const cell = (column) => page.locator(`tr[data-region="0.${loop.id}"] [data-column="${column}"]`);
      const texts = await Promise.all(['i.L1', 'i.L2', 'v.L2', 'i.DRAM'].map(async (column) => (await cell(column).innerText()).trim()));
      assert.doesNotMatch(texts[0], /\?/);
      assert.equal(texts[2], `${si(loop.traffic.L2.read + loop.traffic.L2.written, 'B')}?`);
      assert.match(texts[1], /^[\d.]+\?$/);
      assert.equal(texts[3], 'unb.?');
      assert.match(await cell('i.DRAM').getAttribute('title'), /may not speak for all/);
      assert.match(await page.locator('#panel').innerText(), /\? from sampled lines, which may not speak for all: --traffic=exact is right/);
      assert.match(await page.locator('aside.detail').innerText(), /unb\.\?/);
      const box = await page.locator(`.mark[data-region="0.${loop.id}"] path[transform]`).boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      assert.match(await page.locator('.tooltip').innerText(), /[\d.]+\? flop\/byte at L2[^]*may not speak for all/);
    });
    await with_page(heat(), {}, async (page) => {
      assert.doesNotMatch(await page.locator('main').innerText(), /may not speak for all/);
    });
  });

  it('that are unknown are shown as unknown', async () => {
    const profile = fixture();
    profile.regions.forEach((region) => {
      delete region.traffic.DRAM;
      region.time_seconds = {};
    });
    await with_page(report('unknown', profile), { fragment: '#columns=share,performance,i.DRAM,v.DRAM' }, async (page) => {
      const cells = await page.locator('#panel td[data-column]').allInnerTexts();
      assert.ok(cells.length > 0);
      assert.deepEqual([...new Set(cells.map((cell) => cell.trim()))], ['-']);
    });
  });
});

describe('controls', () => {
  it('hide levels and ceilings', async () => {
    await with_page(heat(), {}, async (page) => {
      const labels = () => page.locator('.chart text').allTextContents();
      assert.ok((await labels()).some((label) => label.startsWith('DRAM ')));
      await page.getByRole('checkbox', { name: /^DRAM/ }).uncheck();
      assert.ok(!(await labels()).some((label) => label.startsWith('DRAM ')));
      await page.getByText('Lines', { exact: true }).click();
      const ceiling = page.locator('.panel fieldset').first().getByRole('checkbox').first();
      const before_count = (await labels()).filter((label) => label.endsWith('Flop/s')).length;
      await ceiling.uncheck();
      assert.equal((await labels()).filter((label) => label.endsWith('Flop/s')).length, before_count - 1);
    });
  });

  it('place the dots by one level or by all', async () => {
    await with_page(heat(), {}, async (page) => {
      const dots = () => page.locator('.mark path[transform]').count();
      const all = await dots();
      await page.getByLabel('Intensity at').selectOption('DRAM');
      const one = await dots();
      assert.equal(one, await page.locator('.mark').count());
      assert.ok(all > one);
    });
  });

  it('change threads, precision, axes and self for inclusive', async () => {
    await with_page(heat(), {}, async (page) => {
      const chart = () => page.locator('.chart').textContent();
      const first = await chart();
      await page.getByLabel('Roofs for').selectOption('1');
      assert.notEqual(await chart(), first);
      await page.getByText('Lines', { exact: true }).click();
      await page.getByRole('checkbox', { name: 'axes in powers of two' }).check();
      assert.match(await chart(), /1\/8/);
      await page.getByRole('combobox', { name: 'Time and work' }).selectOption('1');
      await settled(page);
      assert.match(page.url(), /inclusive=1/);
      assert.match(page.url(), /threads=1/);
      assert.match(page.url(), /log2=1/);
    });
  });

  it('count integer operations, beside the ceilings of integers', async () => {
    const profile = fixture();
    const value = { median: 6e10, p90: 6e10, low: 6e10, high: 6e10, samples: 9, unit: 'op/s', origin: 'measured' };
    profile.machine.ceilings.push({
      id: 'compute.int64.avx2.add.t2', kind: 'compute', precision: 'int64', isa: 'avx2', operation: 'add', threads: 2, value, flags: [],
    });
    await with_page(report('integers', profile), {}, async (page) => {
      const chart = () => page.locator('.chart').textContent();
      assert.doesNotMatch(await chart(), /intop|int64/);
      await page.getByText('Lines', { exact: true }).click();
      await page.getByRole('checkbox', { name: 'integer operations, not flops' }).check();
      await settled(page);
      assert.match(await chart(), /Performance \[Gintop\/s\]/);
      assert.match(await chart(), /Intensity \[intop\/byte\]/);
      assert.match(await chart(), /int64 60.0 Gintop\/s/);
      assert.doesNotMatch(await chart(), /Flop/);
      assert.match(page.url(), /intops=1/);
      assert.match(await page.locator('body').textContent(), /integers of 32 and 64 bits/);
      // That of `sweep` is less than one operation in 1000 bytes.
      const [mark, ...others] = await page.locator('.mark').all();
      assert.match(await mark.getAttribute('aria-label'), /initialise.*intop\/s.*intop\/byte/);
      assert.equal(others.length, 0);
    });
  });

  it('filter by words, share, file and finding', async () => {
    await with_page(heat(), {}, async (page) => {
      const { profile } = (await document_of(page)).results[0];
      const shown = async () => Number((await page.getByRole('status').innerText()).split(' ')[0]);
      const all = profile.regions.filter((region) => region.kind !== 'program');
      assert.equal(await shown(), all.length);
      const word = all[0].function.slice(0, 5).toLowerCase();
      await page.getByRole('searchbox').fill(word);
      const text = (region) => `${region.name} ${region.function} ${region.file ?? ''}:${region.line ?? ''}`.toLowerCase();
      assert.equal(await shown(), all.filter((region) => text(region).includes(word)).length);
      await page.getByRole('searchbox').fill('there is no such loop');
      assert.equal(await shown(), 0);
      await page.getByRole('button', { name: 'Clear filter' }).click();
      await page.getByLabel('At least').fill('10');
      const hot = all.filter((region) => (region.time_seconds.self?.value ?? 0) / profile.program.wall_seconds >= 0.1);
      assert.equal(await shown(), hot.length);
      await page.getByRole('button', { name: 'Clear filter' }).click();
      const codes = all.flatMap((region) => region.findings.map((finding) => finding.code));
      await page.getByRole('combobox', { name: 'Finding' }).selectOption(codes[0]);
      assert.equal(await shown(), all.filter((region) => region.findings.some((finding) => finding.code === codes[0])).length);
      await page.getByRole('button', { name: 'Clear filter' }).click();
      assert.equal(await page.getByRole('combobox', { name: 'Finding' }).inputValue(), '');
      assert.equal(await shown(), all.length);
    });
  });

  it('sort the table and choose its columns', async () => {
    await with_page(heat(), {}, async (page) => {
      const column = (id) => page.locator(`#panel [data-column="${id}"]`).allInnerTexts();
      await page.getByRole('button', { name: /^rate/ }).click();
      assert.equal(await page.locator('th[aria-sort]').getAttribute('aria-sort'), 'descending');
      const { profile } = (await document_of(page)).results[0];
      const rates = async () => {
        const keys = await page.locator('#panel tbody tr').evaluateAll((rows) => rows.map((row) => row.dataset.region));
        return keys.map((key) => profile.regions.find((region) => `0.${region.id}` === key)).map((region) =>
          region.flops?.total > 1e-3 * ((region.bytes?.loaded ?? 0) + (region.bytes?.stored ?? 0)) ? (region.performance ?? -1) : -1);
      };
      const down = await rates();
      assert.deepEqual(down, [...down].sort((a, b) => b - a));
      await page.getByRole('button', { name: /^rate/ }).click();
      const up = (await rates()).filter((rate) => rate >= 0);
      assert.deepEqual(up, [...up].sort((a, b) => a - b));
      assert.deepEqual(await column('entries'), []);
      await page.getByText('Columns', { exact: true }).click();
      await page.getByRole('checkbox', { name: 'entries' }).check();
      assert.ok((await column('entries')).length > 0);
    });
  });

  it('show every level of the loop that is chosen', async () => {
    await with_page(report('forty', many_regions(40)), {}, async (page) => {
      const dots = (mark) => mark.locator('path[transform]').count();
      const mark = page.locator('.mark').last();
      const key = await mark.getAttribute('data-region');
      assert.equal(await dots(mark), 1);
      await page.locator(`tr[data-region="${key}"] button`).click();
      assert.ok((await dots(mark)) > 1);
    });
  });

  it('leave labels beside dots and beside each other, as the browser draws them', async () => {
    for (const [count, width] of [[40, 1600], [40, 700], [3, 700]]) {
      await with_page(report(`labels-${count}-${width}`, many_regions(count)), { viewport: { width, height: 1000 } }, async (page) => {
        const over = await page.evaluate(() => {
          const box = (element) => element.getBoundingClientRect();
          const cut = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
          const dots = [...document.querySelectorAll('.mark path[transform]')].map(box);
          // Turned ones have boxes larger than they are.
          const texts = [...document.querySelectorAll('.chart svg svg text, .chart > svg > g > text:not([transform])')];
          // Of the letters: the box of a text has room for accents above it.
          const letters = texts.map((text) => {
            const { left, right, top, bottom } = box(text);
            return { left, right, top: top + 3, bottom: bottom - 3 };
          });
          return letters.flatMap((letter, at) => [
            ...(dots.some((dot) => cut(letter, dot)) ? [`${texts[at].textContent} over a dot`] : []),
            ...(letters.slice(at + 1).some((other) => cut(letter, other)) ? [`${texts[at].textContent} over a label`] : []),
          ]);
        });
        assert.deepEqual(over, [], `${count} regions, ${width} px`);
      });
    }
  });

  it('zoom, pan and reset', async () => {
    await with_page(heat(), {}, async (page) => {
      const ticks = () => page.locator('.chart text').allTextContents();
      const whole = await ticks();
      await page.getByRole('button', { name: 'Zoom in' }).click();
      assert.notDeepEqual(await ticks(), whole);
      const box = await page.locator('.chart > svg').boundingBox();
      const before_drag = await ticks();
      await page.mouse.move(box.x + 300, box.y + 300);
      await page.mouse.down();
      await page.mouse.move(box.x + 420, box.y + 340, { steps: 4 });
      await page.mouse.up();
      assert.notDeepEqual(await ticks(), before_drag);
      await settled(page);
      assert.match(page.url(), /zoom=/);
      await page.getByRole('button', { name: 'Reset' }).click();
      assert.deepEqual(await ticks(), whole);
    });
  });

  it('say what the pointer is on', async () => {
    await with_page(heat(), {}, async (page) => {
      const box = await page.locator('.mark path[transform]').first().boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      const tooltip = await page.locator('.tooltip').innerText();
      assert.match(tooltip, /Flop\/s/);
      assert.match(tooltip, /of the time/);
      await page.mouse.move(2, 2);
      assert.equal(await page.locator('.tooltip').count(), 0);
    });
  });
});

describe('what to do next', () => {
  const steps = (of) => [
    { region: of.id, code: of.findings[0].code, where: 'the hot loop', reason: 'it waits', remedy: 'make it wait less', gain_program: { low: 1.2, high: 1.5 }, regions: [of.id] },
    { code: 'busy', where: 'the program', reason: 'the machine was busy', remedy: 'measure again', regions: [] },
  ];
  const document = (change) => {
    const profile = fixture();
    const of = profile.regions.find((region) => region.kind === 'loop');
    of.findings = [{ code: 'narrow-vectors', text: 'Its vectors are narrow.', evidence: { width_bits: 128 } }];
    return { of, document: { schema: 'ridge.page/1', results: [{ label: 'a', profile: { ...profile, ...change(of) } }] } };
  };

  it('stands above the chart, and each step selects its loop', async () => {
    const { of, document: whole } = document((region) => ({ next_steps: steps(region) }));
    await with_page(page_of('next', whole), { bypassCSP: true }, async (page) => {
      const next = page.getByRole('region', { name: 'What to do next' });
      assert.equal(await next.getByRole('listitem').count(), 2);
      assert.match(await next.innerText(), /1\.20 to 1\.50× the hot loop:\s+make it wait less\s+because it waits/);
      const top = async (locator) => (await locator.boundingBox()).y;
      assert.ok((await top(next)) < (await top(page.getByRole('region', { name: 'Chart' }))));
      await next.getByText('because it waits').click();
      assert.ok((await next.innerText()).includes(of.findings[0].text));
      assert.deepEqual(await barriers(page), []);
      await next.getByRole('button', { name: 'the hot loop' }).click();
      await settled(page);
      assert.match(page.url(), new RegExp(`region=0\\.${of.id}\\b`));
    });
  });

  it('is silent about files that know no steps', async () => {
    for (const [name, next_steps] of [['none', undefined], ['empty-steps', []]]) {
      await with_page(page_of(name, document(() => ({ next_steps })).document), {}, async (page) => {
        assert.equal(await page.getByText('What to do next').count(), 0);
      });
    }
  });
});

describe('the table', () => {
  it('is one, hottest first, with waits by the function they stand in', async () => {
    const profile = fixture();
    const wait = profile.regions.find((region) => region.kind === 'library');
    Object.assign(wait, { name: 'omp wait', function: 'solver::step(int)', time_seconds: { self: { value: profile.program.wall_seconds, low: 1, high: 2, samples: 9 } } });
    await with_page(report('wait', profile), {}, async (page) => {
      const ranks = await page.locator('#panel tbody tr td:first-child').allInnerTexts();
      assert.deepEqual(ranks.map(Number), ranks.map((_, at) => at + 1));
      assert.match(await page.locator('#panel tbody tr th').first().innerText(), /^waits in solver::step/);
      const rates = await page.locator('#panel [data-column="rate"]').allInnerTexts();
      assert.ok(rates.some((rate) => rate.includes('Flop/s')) && rates.some((rate) => /\d [kMG]?B\/s/.test(rate)), rates.join());
      const levels = await page.locator('#panel [data-column="at"]').allInnerTexts();
      assert.ok(levels.some((text) => /^[\d.]+ (L\d|DRAM)$/.test(text.trim())), levels.join());
    });
  });

  it('shows regions with or without flops, as links of older pages do', async () => {
    await with_page(heat(), { fragment: '#tab=moves' }, async (page) => {
      const rows = () => page.locator('#panel tbody tr').count();
      const without = await rows();
      assert.ok(!(await page.locator('#panel tbody').innerText()).includes('Flop/s'));
      await page.getByRole('combobox', { name: 'Show' }).selectOption('flops');
      const working = await rows();
      await page.getByRole('combobox', { name: 'Show' }).selectOption('');
      assert.equal(await rows(), without + working);
    });
  });
});

describe('the details', () => {
  it('lead through the nest, and say which level binds', async () => {
    await with_page(heat(), {}, async (page) => {
      const { profile } = (await document_of(page)).results[0];
      const loop = profile.regions.find((region) => region.kind === 'loop' && region.parent > 0 && region.bound?.code?.ceiling.startsWith('bandwidth.'));
      await page.evaluate((fragment) => (location.hash = fragment), `region=0.${loop.id}`);
      const detail = page.locator('aside.detail');
      await detail.waitFor();
      const level = loop.bound.code.ceiling.split('.')[1];
      assert.match(await detail.innerText(), new RegExp(`${level}\\s+binds`));
      const parents = [];
      for (let id = loop.parent; id !== undefined; id = profile.regions.find((region) => region.id === id).parent) {
        parents.unshift(id);
      }
      const nest = detail.getByRole('navigation', { name: 'Nest' });
      const program = profile.regions.find((region) => region.kind === 'program').id;
      const outermost = parents.find((id) => id !== program);
      await nest.getByRole('button').first().click();
      await settled(page);
      assert.match(page.url(), new RegExp(`region=0\\.${outermost}\\b`));
    });
  });

  it('stand beside the chart where there is room, and in two columns where they have it', async () => {
    const loop = fixture().regions.find((region) => region.kind === 'loop');
    const places = async (width) => {
      let found;
      await with_page(heat(), { fragment: `#region=0.${loop.id}`, viewport: { width, height: 1000 } }, async (page) => {
        const [chart, detail] = await Promise.all(['.chart', 'aside.detail'].map((part) => page.locator(part).boundingBox()));
        const left = await page.locator('.sides h3').evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().left));
        found = { beside: detail.x >= chart.x + chart.width, below: detail.y >= chart.y + chart.height, columns: Math.max(...left) > Math.min(...left) + 100 };
      });
      return found;
    };
    assert.deepEqual(await places(1600), { beside: true, below: false, columns: false });
    assert.deepEqual(await places(1100), { beside: false, below: true, columns: true });
    assert.deepEqual(await places(700), { beside: false, below: true, columns: false });
    assert.deepEqual(await places(2500), { beside: true, below: false, columns: true });
  });
});

describe('links and keys', () => {
  it('restore a view from the address', async () => {
    const fragment = '#axis=DRAM&min=1&q=heat&sort=-performance&theme=dark&tab=nest';
    await with_page(heat(), { fragment }, async (page) => {
      assert.equal(await page.getByLabel('Intensity at').inputValue(), 'DRAM');
      assert.equal(await page.getByRole('searchbox').inputValue(), 'heat');
      assert.equal(await page.getByRole('tab', { selected: true }).innerText(), 'Loop nest');
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    });
  });

  it('survive an address that makes no sense', async () => {
    const fragment = '#axis=%00&min=x&zoom=1,2&tab=none&region=9.9&sort=-%22&results=7&threads=-3&columns=,,&machines=1e9';
    await with_page(heat(), { fragment }, async (page) => {
      assert.ok((await page.locator('#panel tbody tr').count()) > 0);
    });
  });

  it('reach every mark and its details', async () => {
    await with_page(report('thirty', many_regions(30)), {}, async (page) => {
      await page.locator('.mark[tabindex="0"]').focus();
      await page.keyboard.press('Enter');
      const first = await page.locator('aside.detail h2').innerText();
      await page.keyboard.press('ArrowRight');
      await settled(page);
      const second = await page.locator('aside.detail h2').innerText();
      assert.notEqual(first, second);
      assert.match(page.url(), /region=0\.\d+/);
      await page.getByRole('button', { name: 'Close details' }).press('Enter');
      assert.equal(await page.locator('aside.detail').count(), 0);
      await page.getByRole('tab').first().focus();
      await page.keyboard.press('ArrowRight');
      assert.match(await page.getByRole('tab', { selected: true }).innerText(), /Loop nest/);
    });
  });
});

describe('files to save', () => {
  it('are the chart as SVG and PNG', async () => {
    await with_page(heat(), {}, async (page) => {
      const svg = await downloaded(page, 'Save as SVG');
      const wrong = await page.evaluate((text) => {
        const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
        return parsed.querySelector('parsererror')?.textContent ?? (parsed.querySelectorAll('text').length > 10 ? '' : 'no text');
      }, svg.bytes.toString('utf8'));
      assert.equal(wrong, '');
      assert.doesNotMatch(svg.bytes.toString('utf8'), /<script|onload|href=/);
      const png = await downloaded(page, 'Save as PNG');
      const colours = await page.evaluate(async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
        return { width: image.width, colours: new Set(pixels).size };
      }, png.bytes.toString('base64'));
      assert.ok(colours.width > 1000);
      assert.ok(colours.colours > 20, `${colours.colours} colours`);
    });
  });

  it('are the rows as CSV and the document as JSON', async () => {
    await with_page(heat(), {}, async (page) => {
      const document = await document_of(page);
      const json = await downloaded(page, 'Save as JSON');
      assert.deepEqual(JSON.parse(json.bytes.toString('utf8')), document);
      const [head, ...lines] = (await downloaded(page, 'Save as CSV')).bytes.toString('utf8').trim().split('\r\n');
      const names = head.split(',');
      const regions = document.results[0].profile.regions.filter((region) => region.kind !== 'program');
      assert.equal(lines.length, regions.length);
      for (const line of lines) {
        const fields = line.match(/("(?:[^"]|"")*"|[^,]*)(,|$)/g).map((field) => field.replace(/,$/, ''));
        const value = (name) => fields[names.indexOf(name)];
        const region = regions.find((candidate) => String(candidate.id) === value('id'));
        assert.equal(value('flop'), String(region.flops?.total ?? ''));
        assert.equal(value('flop_per_second'), region.performance === undefined ? '' : String(region.performance));
        assert.equal(value('DRAM_read_byte'), String(region.traffic.DRAM?.read ?? ''));
        assert.equal(value('attainable'), region.bound?.code === undefined ? '' : String(region.bound.code.attainable));
      }
    });
  });
});

describe('every kind of page', () => {
  it('takes hostile names as text', async () => {
    const profile = fixture();
    Object.assign(profile.machine, { name: kHostile, host: kHostile });
    profile.program.argv = [kHostile, kHostile];
    profile.program.compiler = kHostile;
    profile.notes = [{ code: kHostile, text: kHostile }];
    for (const region of profile.regions) {
      Object.assign(region, { name: kHostile, function: kHostile, calls: { [kHostile]: 1 }, opaque: { __proto__: 3, constructor: 2 } });
      // Levels are a closed list: a file that names another one is refused. Shares are text.
      region.traffic_at_share = { [kHostile]: { read: 8, written: 8 }, constructor: { read: 8, written: 8 } };
      region.notes = [{ code: kHostile, text: kHostile }];
      region.findings = [];
    }
    const file = report('hostile', profile);
    assert.equal(readFileSync(file, 'utf8').match(/<img/g), null);
    const loop = profile.regions.find((region) => region.kind === 'loop');
    for (const tab of ['loops', 'nest', 'machine', 'about']) {
      await with_page(file, { fragment: `#tab=${tab}&region=0.${loop.id}` }, async (page) => {
        assert.equal(await page.locator('img').count(), 0);
        assert.ok((await page.locator('h1').innerText()).length > 0);
      });
    }
  });

  it('shows several results and what changed', async () => {
    const [old, young] = [fixture(), fixture()];
    const loop = young.regions.find((region) => region.kind === 'loop' && region.flops.total > 0 && region.time_seconds.self);
    for (const key of ['value', 'low', 'high']) {
      loop.time_seconds.self[key] /= 2;
    }
    const document = await (async () => {
      let found;
      await with_page(report('two', old, young), {}, async (page) => {
        found = await document_of(page);
      });
      return found;
    })();
    const seconds = loop.time_seconds.self.value;
    const place = (result) => ({ result, region: loop.id, name: loop.name, function: loop.function, threads: 1, matched_by: 'position', figures: [], ceiling: 'bandwidth.DRAM.load.avx512.t2' });
    document.comparison = {
      schema: 'ridge.comparison/1',
      summary: 'twice as fast',
      results: document.results.map((result) => ({ label: result.label })),
      steps: [{ from: 0, to: 1, times_comparable: true, traffic_comparable: true, summary: 'twice as fast', notes: [], ambiguous: [] }],
      loops: [
        {
          kind: 'loop', name: loop.name, function: loop.function, places: [place(0), place(1)],
          steps: [{ step: 0, changes: [{ quantity: 'time', unit: 's', ratio: 0.5, verdict: 'changed', before: { value: 2 * seconds, origin: 'measured' }, after: { value: seconds, origin: 'measured' } }] }],
        },
        { kind: 'loop', name: 'fresh', function: 'fresh()', places: [place(1)], steps: [] },
        { kind: 'loop', name: 'gone', function: 'gone()', places: [place(0)], steps: [] },
      ],
    };
    await with_page(page_of('compared', document), { fragment: '#tab=changes' }, async (page) => {
      const panel = await page.locator('#panel').innerText();
      assert.ok(panel.includes(`${si(2 * seconds, 's')} → ${si(seconds, 's')}`), panel);
      assert.match(panel, /0\.500× changed/);
      assert.match(panel, /fresh/);
      assert.match(panel, /gone/);
      assert.equal(await page.locator('fieldset', { hasText: 'Results' }).getByRole('checkbox').count(), 2);
      const arrows = await page.locator('.chart svg > path[fill="none"][stroke-width="1.4"]').count();
      assert.equal(arrows, 1);
      await page.locator('fieldset', { hasText: 'Results' }).getByRole('checkbox').first().uncheck();
      await settled(page);
      assert.match(page.url(), /results=1/);
    });
  });

  it('overlays other machines, and stands with machines alone or with nothing', async () => {
    const machines = [machine_fixture()];
    let results;
    await with_page(heat(), {}, async (page) => {
      results = (await document_of(page)).results;
    });
    await with_page(page_of('overlay', { schema: 'ridge.page/1', results, machines }), {}, async (page) => {
      const lines = () => page.locator('.chart path[stroke-dasharray="9 4"]').count();
      assert.equal(await lines(), 0);
      await page.getByText('Lines', { exact: true }).click();
      await page.getByRole('checkbox', { name: machines[0].name }).check();
      assert.ok((await lines()) > 3);
    });
    await with_page(page_of('roofs', { schema: 'ridge.page/1', results: [], machines }), {}, async (page) => {
      assert.ok((await page.locator('.chart text').allTextContents()).some((label) => label.startsWith('DRAM ')));
    });
    await with_page(page_of('empty', { schema: 'ridge.page/1', results: [] }), {}, async (page) => {
      assert.match(await page.locator('main').innerText(), /neither a result nor a machine/);
    });
  });

  it('says which pattern moves more than a roof of memory', async () => {
    const profile = fixture();
    const roofs = profile.machine.ceilings.filter((ceiling) => ceiling.kind === 'bandwidth' && ceiling.level === 'DRAM' && ceiling.pattern === 'load');
    for (const roof of roofs.filter((ceiling) => ceiling.threads === 1)) {
      const rate = (of) => of && { ...of, p90: 3 * of.p90, high: 3 * of.high };
      profile.machine.ceilings.push({
        ...structuredClone(roof), id: roof.id.replace('.load.', '.nt-copy.'), pattern: 'nt-copy', value: rate(roof.value), traffic_value: rate(roof.traffic_value),
      });
    }
    await with_page(report('patterns', profile), {}, async (page) => {
      const card = page.getByRole('region', { name: 'Chart' });
      assert.doesNotMatch(await card.innerText(), /nt-copy/);
      await page.getByLabel('Roofs for').selectOption('1');
      assert.match(await card.innerText(), /the DRAM roof is that of load, [\d.]+ GB\/s; nt-copy moves [\d.]+ GB\/s: such a loop may stand above it/i);
      await page.getByRole('checkbox', { name: /^DRAM/ }).uncheck();
      assert.doesNotMatch(await card.innerText(), /nt-copy/);
    });
  });

  it('shows source lines, and traffic on other caches', async () => {
    const profile = fixture();
    const loop = profile.regions.find((region) => region.kind === 'loop' && region.line !== undefined);
    profile.caches_elsewhere = [{ name: 'zen4', caches: profile.machine.caches, memory: 'DRAM' }];
    loop.traffic_elsewhere = { zen4: { L2: { read: 123000, written: 0 }, DRAM: { read: 456000, written: 789000 } } };
    const sources = [{ file: loop.file, first_line: loop.line - 1, lines: ['// before </script>', `for (;;) { work(); }`, '}'] }];
    const document = { schema: 'ridge.page/1', results: [{ label: 'a', profile }], sources };
    await with_page(page_of('sources', document), { fragment: `#region=0.${loop.id}` }, async (page) => {
      assert.match(await page.locator('.source .here').innerText(), /for \(;;\)/);
      const detail = await page.locator('aside.detail').innerText();
      assert.match(detail, /456 kB\s+789 kB/);
    });
  });

  it('shows figures by source line and the hottest block of machine code', async () => {
    const profile = fixture();
    const loop = profile.regions.find((region) => region.kind === 'loop' && region.line !== undefined && region.flops?.total > 0);
    const { total } = loop.flops;
    loop.lines = [{ line: loop.line + 1, flops: total / 2, bytes_loaded: 8000, bytes_stored: 0 }, { file: '/usr/include/vec.h', line: 7, flops: total / 4 }];
    loop.hottest_block = { executions: 5000, instructions: [
      { address: 0x21b0, text: 'vaddpd ymm1, ymm1, [r8+rcx*8] </pre><b>', line: loop.line + 1, flops: 4, bytes_loaded: 32 },
      { address: 0x21b6, text: 'jnz 0x21B0' }] };
    const sources = [{ file: loop.file, first_line: loop.line, lines: ['  for (;;)', '    work();'] }];
    const document = { schema: 'ridge.page/1', results: [{ label: 'a', profile }], sources };
    await with_page(page_of('lines', document), { fragment: `#region=0.${loop.id}` }, async (page) => {
      const row = page.getByRole('region', { name: 'Source lines' }).locator('span', { hasText: 'work();' }).first();
      const cells = async (of) => (await of.locator('.figure, .once').allInnerTexts()).map((text) => text.trim());
      assert.deepEqual(await cells(row), [si(total / 2, 'Flop'), '8.00 kB']); // no line stores
      assert.match(await page.getByRole('region', { name: 'Other source lines' }).innerText(), new RegExp(`vec\\.h:7\\s+${si(total / 4, 'Flop')}\\s+-`));
      assert.match(await page.locator('aside.detail').innerText(), /The lines hold 75\.0 % of its flops/);
      const code = page.getByRole('region', { name: 'Machine code' });
      assert.deepEqual(await cells(code.locator('span[title="0x21b0"]')), ['4', '32', '']);
      assert.match(await code.innerText(), /<\/pre><b>/);
      assert.match(await page.locator('aside.detail').innerText(), /ran 5\.00 k times/);
    });
  });

  it('is a slide where its first element says so', async () => {
    const profile = fixture();
    const steps = [1, 2, 3, 4].map((step) => ({ region: 1, code: 'x', where: `loop ${step}`, reason: 'r', remedy: `mend ${step}`, gain_program: { low: 1.1, high: 1.2 }, regions: [1] }));
    profile.next_steps = steps;
    profile.summary = 'The memory binds.';
    const file = page_of('slide', { schema: 'ridge.page/1', results: [{ label: 'a', profile }] });
    writeFileSync(file, readFileSync(file, 'utf8').replace('<html ', '<html data-style="slide" '));
    await with_page(file, { viewport: { width: 1600, height: 900 }, bypassCSP: true }, async (page) => {
      assert.equal(await page.locator('header p').innerText(), 'The memory binds.');
      assert.equal(await page.locator('li').count(), 3);
      assert.equal(await page.locator('table, input, button').count(), 0);
      const sizes = await page.locator('h1, p, li').evaluateAll((all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize)));
      assert.ok(Math.min(...sizes) >= 18, String(sizes));
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(height <= 900, `${height} px high`);
      assert.deepEqual(await barriers(page), []);
    });
  });

  it('is drawn dark, light and for paper', async () => {
    const background = (page) => page.evaluate(() => getComputedStyle(document.querySelector('.card')).backgroundColor);
    await with_page(heat(), { colorScheme: 'dark' }, async (page) => {
      assert.equal(await background(page), 'rgb(20, 23, 27)');
      await page.getByLabel('Colours').selectOption('light');
      assert.equal(await background(page), 'rgb(255, 255, 255)');
      await page.getByLabel('Colours').selectOption('dark');
      const pdf = await page.pdf({ format: 'A4' });
      assert.ok(pdf.length > 20_000);
    });
  });

  it('has no barrier that axe knows', async () => {
    const loop = fixture().regions.find((region) => region.kind === 'loop');
    for (const colorScheme of ['light', 'dark']) {
      for (const tab of ['loops', 'nest', 'machine', 'about']) {
        await with_page(heat(), { fragment: `#tab=${tab}&region=0.${loop.id}`, colorScheme, bypassCSP: true }, async (page) => {
          assert.deepEqual(await barriers(page), []);
        });
      }
    }
  });

  it('holds ten thousand regions', async () => {
    const file = report('many', many_regions(10_000));
    const started = Date.now();
    await with_page(file, {}, async (page) => {
      await page.locator('.mark').first().waitFor();
      assert.ok(Date.now() - started < 30_000, 'far beyond what any machine needs');
      assert.match(await page.getByRole('status').innerText(), /^10000 of 10000/);
      await page.getByRole('searchbox').fill('solver_7.cpp');
      assert.match(await page.getByRole('status').innerText(), /^34 of/);
      assert.ok((await page.locator('#panel tbody tr').count()) <= 100);
    });
  });

  it('shows the regions with the most time while it still reads the others', async () => {
    const text = readFileSync(report('parts', many_regions(2000)), 'utf8');
    const cut = text.indexOf('"ridge-rest">') + 20_000;
    let send_rest;
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write(text.slice(0, cut));
      send_rest = () => response.end(text.slice(cut));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    const rows = () => page.locator('#panel tbody tr').allInnerTexts();
    try {
      await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: 'commit' });
      await page.locator('main[inert] .mark').first().waitFor();
      const [first, facts] = [await rows(), await page.locator('dl.figures').innerText()];
      assert.ok(first.length > 10);
      assert.match(await page.locator('[role=status]').innerText(), /^250 of 2000/);
      assert.doesNotMatch(await page.locator('main').innerText(), /Regions \(/);
      send_rest();
      await page.locator('main:not([inert]) .mark').first().waitFor();
      assert.deepEqual((await rows()).slice(0, first.length), first);
      assert.equal(await page.locator('dl.figures').innerText(), facts);
      assert.match(await page.getByRole('status').innerText(), /^2000 of 2000/);
    } finally {
      await page.close();
      server.close();
    }
  });

  it('is whole in both parts, and says when its end is missing', async () => {
    const profile = many_regions(700);
    profile.regions[600].entries = 111;
    const file = report('whole', JSON.stringify(profile).replace('"entries":111', '"entries":18446744073709551615'));
    const text = readFileSync(file, 'utf8');
    await with_page(file, { fragment: '#sort=rank&region=0.650' }, async (page) => {
      assert.equal((await page.locator('aside.detail h2').innerText()).split(' ')[0], '650');
      const saved = (await downloaded(page, 'Save as JSON')).bytes.toString('utf8');
      assert.deepEqual(JSON.parse(saved), await document_of(page));
      assert.deepEqual(JSON.parse(saved).results[0].profile.regions.map((region) => region.id), profile.regions.map((region) => region.id));
      assert.match(saved, /"entries":18446744073709551615/);
      await page.locator('#panel p button').scrollIntoViewIfNeeded();
      await page.locator('#panel tbody tr').nth(25).waitFor();
    });
    writeFileSync(file, text.slice(0, -20_000));
    const page = await browser.newPage();
    await page.goto(`file://${file}`);
    assert.match(await page.locator('#app').innerText(), /cannot be shown: the file is cut off/);
    await page.close();
  });
});
