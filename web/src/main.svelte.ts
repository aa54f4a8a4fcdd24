// Starts the page. Of many regions the ones with the most time stand before this script, and are
// shown while the browser still reads the others, which stand behind it.
import { mount } from 'svelte';

import './app.css';
import App from './App.svelte';
import { parse_page } from './data/page';
import { is_part, joined, unpacked } from './data/parts';

const target = document.getElementById('app') as HTMLElement;
const text_of = (id: string) => document.getElementById(id)?.textContent ?? '';

function document_of(text: string, whole: boolean) {
  return { page: parse_page(text), text, whole };
}
let shown: ReturnType<typeof document_of> | undefined = $state.raw();

async function show(text: string | Promise<string>, whole: boolean): Promise<void> {
  try {
    const known = typeof text === 'string' ? text : await text; // shown at once where it is there
    const mounted = shown !== undefined;
    shown = document_of(known, whole);
    if (!mounted) {
      mount(App, { target, props: { get shown() { return shown as NonNullable<typeof shown>; } } });
    }
  } catch (error) {
    const message = document.createElement('p');
    const words = error instanceof Error ? error.message : String(error);
    if (shown === undefined) {
      message.textContent = `This report cannot be shown: ${words}`;
      target.replaceChildren(message);
    } else {
      message.textContent = `Regions with little time cannot be shown: ${words}`;
      shown = { ...shown, whole: true };
      target.prepend(message);
    }
    throw error;
  }
}

const first = text_of('ridge-page');
if (is_part(first)) {
  // A view that was chosen may need any region.
  if (location.hash.length < 2) {
    void show(first, false);
  }
  addEventListener('DOMContentLoaded', () => {
    void show(unpacked(text_of('ridge-rest')).then((rest) => joined(first, rest)), true);
  });
} else {
  void show(first, true);
}
