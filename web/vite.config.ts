import { fileURLToPath } from 'node:url';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

import { single_file } from './single_file';

const d3_parts = fileURLToPath(new URL('src/chart/d3_parts.ts', import.meta.url));

export default defineConfig({
  resolve: { alias: { 'd3-interpolate': d3_parts, 'd3-array': d3_parts } },
  plugins: [svelte({ compilerOptions: { runes: true } }), single_file()],
  build: {
    target: 'es2022',
    minify: 'terser',
    terserOptions: { ecma: 2020, module: true, compress: { passes: 3, unsafe_arrows: true }, format: { comments: false } },
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
});
