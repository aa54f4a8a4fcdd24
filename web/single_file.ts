// Puts the one script and the one style sheet of a build into its HTML, and allows exactly these
// two by their hashes: nothing else can run in a report, whatever its data hold.
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/// The script stands before it: it runs as soon as the browser has read what comes first.
const kRest = '<script type="application/json" id="ridge-rest">';
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

export function single_file(): Plugin {
  return {
    name: 'ridge-single-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let script = '';
      let style = '';
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') {
          script += part.code.trim();
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
        .replace('</head>', () => `<style>${style}</style>\n</head>`)
        .replace(kRest, () => `<script>${script}</script>\n${kRest}`);
      page.fileName = 'report.html';
      page.source = html;
    },
  };
}
