// Puts the one script and the one style sheet of a build into its HTML, and allows exactly these
// two by their hashes: nothing else can run in a report, whatever its data hold.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import type { Plugin } from 'vite';

/// The script stands before it: it runs as soon as the browser has read what comes first.
const kRest = '<script type="text/plain" id="ridge-rest">';
const kPolicyPlaceholder = 'RIDGE_POLICY';

function hash_source(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

function policy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hash_source(script)}`,
    `style-src ${hash_source(style)}`,
    'img-src data:', // the chart on its way to a PNG
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/// Svelte keeps pieces of markup in string literals, where `<` may be written as an escape.
function without_markup(script: string): string {
  return script.replace(/<(?=!--|\/?script)/gi, '\\x3C');
}

/// A licence as the words that packages under it share, and the line of its holder.
function split_licence(text: string): { holder: string; terms: string } {
  const lines = text.replace(/[“”]/g, '"').replace(/-->/g, '--&gt;').trim().split('\n');
  const holder = lines.find((line) => line.startsWith('Copyright'));
  if (holder === undefined) {
    throw new Error(`a licence without holder: ${text.slice(0, 80)}`);
  }
  const terms = lines.filter((line) => line !== holder && line !== 'MIT License');
  return { holder, terms: terms.join('\n').trim() };
}

function read_licence(folder: string): { name: string; text: string } {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) {
    throw new Error(`${name} has code in the page and no licence file`);
  }
  return { name: `${name} ${version}`, text: readFileSync(`${folder}/${file}`, 'utf8') };
}

/// The licence of each package that has code in the page: copies of the page must carry them.
function licences(modules: Iterable<string>): string {
  const folders = new Set<string>();
  for (const module of modules) {
    const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0];
    if (folder !== undefined) {
      folders.add(folder);
    }
  }
  const holders = new Map<string, string[]>();
  for (const { name, text } of [...folders].sort().map(read_licence)) {
    const { holder, terms } = split_licence(text);
    holders.set(terms, [...(holders.get(terms) ?? []), `${name}: ${holder}`]);
  }
  const parts = [...holders].map(([terms, names]) => `${names.join('\n')}\n\n${terms}`);
  return `<!--\nThis page holds code of others.\n\n${parts.join('\n\n')}\n-->`;
}

export function single_file(): Plugin {
  return {
    name: 'ridge-single-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let script = '';
      let style = '';
      const modules: string[] = [];
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') {
          script += part.code.trim();
          modules.push(...Object.keys(part.modules).filter((id) => part.modules[id]!.renderedLength > 0));
          delete bundle[name];
        } else if (name.endsWith('.css')) {
          style += String(part.source).trim().replace(/(--[\w-]+): /g, '$1:');
          delete bundle[name];
        }
      }
      script = `'use strict';{${without_markup(script)}}`;
      if (/<\/style/i.test(style)) {
        this.error('the style sheet holds text that would end its element');
      }
      const page = bundle['index.html'];
      if (page === undefined || page.type !== 'asset') {
        this.error('there is no index.html');
      }
      const html = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace(kPolicyPlaceholder, () => policy(script, style))
        .replace('</head>', () => `<style>${style}</style>\n${licences(modules)}\n</head>`)
        .replace(kRest, () => `<script>${script}</script>\n${kRest}`);
      page.fileName = 'report.html';
      page.source = html;
    },
  };
}
