// The reader's choice, shared by all parts of the page, and its copy in the address.
import { decode_view, encode_view, type View } from './view';

export const view: View = $state(decode_view(location.hash));

export function follow_address(): void {
  Object.assign(view, decode_view(location.hash));
}

/// Not faster than browsers allow.
const kDelayMs = 120;

/// To be called in an effect: depends on the whole view, returns what cancels it.
export function update_address(): () => void {
  const fragment = encode_view(view);
  const timer = setTimeout(() => {
    if (fragment !== location.hash.slice(1)) {
      history.replaceState(null, '', `#${fragment}`);
    }
  }, kDelayMs);
  return () => clearTimeout(timer);
}

/// The same key again closes what it opened.
export function select(key: string): void {
  view.selected = view.selected === key ? '' : key;
}
