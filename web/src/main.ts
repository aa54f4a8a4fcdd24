import { mount } from 'svelte';

import './app.css';
import App from './App.svelte';
import { parse_page } from './data/page';

const target = document.getElementById('app');
const text = document.getElementById('ridge-page')?.textContent ?? '';

if (target !== null) {
  try {
    mount(App, { target, props: { page: parse_page(text), text } });
  } catch (error) {
    const message = document.createElement('p');
    message.textContent = `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
    target.replaceChildren(message);
    throw error;
  }
}
