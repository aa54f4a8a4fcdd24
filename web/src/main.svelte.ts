// Starts the page. Of many regions the ones with the most time stand before this script, and are
// shown while the browser still reads the others, which stand behind it.
import { mount } from 'svelte';

import './app.css';
import App from './App.svelte';
import { parse_page } from './data/page';
import { is_part, joined } from './data/parts';

const target = document.getElementById('app') as HTMLElement;
const text_of = (id: string) => document.getElementById(id)?.textContent ?? '';

function document_of(text: string, whole: boolean) {
  return { page: parse_page(text), text, whole };
}
let shown: ReturnType<typeof document_of> | undefined = $state.raw();

function show(text: () => string, whole: boolean): void {
  try {
    const mounted = shown !== undefined;
    shown = document_of(text(), whole);
    if (!mounted) {
      mount(App, { target, props: { get shown() { return shown as NonNullable<typeof shown>; } } });
    }
  } catch (error) {
    const message = document.createElement('p');
    message.textContent = `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
    target.replaceChildren(message);
    throw error;
  }
}

const first = text_of('ridge-page');
if (is_part(first)) {
  // A view that was chosen may need any region.
  if (location.hash.length < 2) {
    show(() => first, false);
  }
  addEventListener('DOMContentLoaded', () => show(() => joined(first, text_of('ridge-rest')), true));
} else {
  show(() => first, true);
}
