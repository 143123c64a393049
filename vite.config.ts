import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { type AliasOptions } from 'vite';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { CHROMIUM_ARGS, findChromium } from './scripts/browser.mjs';
import { guestSource } from './scripts/plugins/guest-source.ts';
import { leanParser } from './scripts/plugins/lean-parser.ts';
import { pagePolicy } from './scripts/plugins/page-policy.ts';
import { workerFile } from './scripts/plugins/worker-file.ts';
import { SlowFirst } from './scripts/vitest/slow-first.ts';
import { filesWithOwnModules } from './scripts/vitest/unit-files.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const testing = process.env.VITEST !== undefined;

/** The playground and the tests import the package by its name: from `src`, or with DEMO_FROM=dist as it was built. */
const aliases: AliasOptions =
  process.env.DEMO_FROM === 'dist'
    ? []
    : [
        { find: 'react-code-mode/styles.css', replacement: here('./src/react/styles.css') },
        { find: /^react-code-mode\/(.+)$/, replacement: here('./src/$1.ts') },
        { find: /^react-code-mode$/, replacement: here('./src/index.ts') },
      ];

/** Cross-origin isolation is optional; ISOLATE=1 serves with it. */
const isolation: Record<string, string> =
  process.env.ISOLATE === '1'
    ? { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }
    : {};

/** A seed: which of the hostile programs run where all would take too long. `HOSTILE=all` runs all of them. */
const hostileSample = process.env.HOSTILE === 'all' ? 'all' : 20_261_129;

const setupFiles = [here('./scripts/vitest/console.ts'), here('./scripts/vitest/property-seed.ts')];

const unit = (name: string, own: { isolate: boolean; include: string[]; exclude?: string[] }): TestProjectConfiguration => ({
  extends: true,
  test: {
    name,
    // Real QuickJS runs in plain Node; a file that renders says `// @vitest-environment happy-dom`.
    environment: 'node',
    setupFiles,
    provide: { hostileSample },
    // Through the plugins, so that the parser that is tested is the one that is shipped.
    server: { deps: { inline: ['acorn', '@sveltejs/acorn-typescript'] } },
    ...own,
  },
});

/** Files share their modules, but for those that replace some (scripts/vitest/unit-files.ts). */
const units = (apart: string[]): TestProjectConfiguration[] => [
  unit('unit', {
    isolate: false,
    include: ['{src,worker,demo,scripts,e2e}/**/*.test.{ts,tsx}'],
    exclude: ['**/*.browser.test.*', '**/node_modules/**', '**/dist/**', ...apart],
  }),
  unit('unit-apart', { isolate: true, include: apart }),
];

const browser = (executablePath: string | undefined): TestProjectConfiguration => ({
  extends: true,
  optimizeDeps: {
    include: [
      'comlink',
      'idb',
      'react',
      'react-dom',
      'react-dom/client',
      'react/jsx-dev-runtime',
      'vitest-browser-react',
      'fast-check',
      'zustand',
      'zustand/vanilla',
      'zustand/shallow',
      '@noble/hashes/sha2.js',
      '@noble/hashes/utils.js',
      '@cfworker/json-schema',
      'sugar-high',
      'sugar-high/lang/typescript',
    ],
  },
  test: {
    name: 'browser',
    include: ['{src,worker,demo,e2e}/**/*.browser.test.{ts,tsx}'],
    provide: { hostileSample },
    setupFiles,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { ...(executablePath ? { executablePath } : {}), args: CHROMIUM_ARGS } }),
      instances: [{ browser: 'chromium' }],
    },
  },
});

export default defineConfig(async () => ({
  root: testing ? here('.') : here('./demo'),
  base: process.env.DEMO_BASE ?? './',
  plugins: [guestSource(), leanParser(), ...react(), workerFile(), pagePolicy()],
  resolve: { alias: aliases },
  server: { headers: isolation, fs: { allow: [here('.')] } },
  preview: { headers: isolation },
  build: {
    target: 'es2022',
    outDir: here(process.env.DEMO_FROM === 'dist' ? './.cache/demo-from-dist' : './demo/dist'),
    emptyOutDir: true,
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  test: {
    // Against tests that hang. How fast something is the benchmarks say; a busy machine takes its time.
    testTimeout: 60_000,
    // Half of the files wait rather than compute, for workers and browsers: one more than there are cores keeps these busy.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    sequence: { sequencer: SlowFirst },
    globalSetup: [here('./scripts/vitest/build-worker.ts')],
    projects: testing ? [...units(filesWithOwnModules(here('.'))), browser(await findChromium())] : [],
    coverage: { provider: 'v8' as const, include: ['src/**', 'worker/**'] },
  },
}));
