// The first look at the page is what was recorded, and looked at (web/check screens --record).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';

import { described, screens, with_screen } from './screens.mjs';
import { start_browser } from './support.mjs';

let browser;
before(async () => {
  browser = await start_browser();
});
after(() => browser.close());

describe('the first look', () => {
  for (const screen of screens) {
    it(screen.name, async () => {
      const recorded = readFileSync(new URL(`./screens/${screen.name}.txt`, import.meta.url), 'utf8');
      await with_screen(browser, screen, async (page) => assert.equal(`${await described(page)}\n`, recorded));
    });
  }
});
