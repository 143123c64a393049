import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium, findFirefox } from './scripts/browser.mjs';

// `npm test` sets the port; the worker processes of Playwright read this file too and must agree on it.
process.env.E2E_PORT ??= '4317';
const baseURL = `http://localhost:${process.env.E2E_PORT}/`;
const vite = 'node node_modules/vite/bin/vite.js';
const chromium = await findChromium();
const firefox = findFirefox();
const onlyConsumers = process.argv.some((argument) => argument === '--project=consumers');

/** What is left to the full run (`HOSTILE=all`): states of one kind, and in the second browser what engines hardly differ in. */
const left = (tests: RegExp): RegExp[] => (process.env.HOSTILE === 'all' ? [] : [tests]);

// No trace: its recorder puts styles into the page, which the page's own policy refuses, loudly.
const evidence = { screenshot: 'only-on-failure' } as const;
// How letters are drawn is the same on each Linux, or no picture would be.
const letters: NodeJS.ProcessEnv = { ...process.env, FONTCONFIG_FILE: join(import.meta.dirname, 'e2e/approval/fonts.conf') };
const inChromium = {
  launchOptions: {
    ...(chromium ? { executablePath: chromium } : {}),
    args: CHROMIUM_ARGS,
    env: letters as Record<string, string>,
  },
};

export default defineConfig({
  testDir: './e2e',
  outputDir: './test-results',
  timeout: 60_000,
  expect: {
    // A busy machine takes its time; what is there already is not waited for.
    timeout: 20_000,
    // Fonts and how they are drawn are the same everywhere; what is left is how another build rounds an edge.
    toHaveScreenshot: { threshold: 0.25, maxDiffPixels: 60, pathTemplate: '{testDir}/pictures/{arg}{ext}' },
  },
  forbidOnly: true,
  retries: 0,
  // A test waits for a person's periods and for a page more than it computes; each has a browser context of its own.
  workers: Math.min(availableParallelism(), 4),
  fullyParallel: true,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  use: { baseURL, ...evidence },
  projects: [
    {
      name: 'chromium',
      testMatch: /e2e[\\/][^\\/]+\.spec\.ts$/,
      grepInvert: left(/@full/),
      use: { ...devices['Desktop Chrome'], ...inChromium },
    },
    ...(firefox
      ? [
          {
            name: 'firefox',
            testMatch: /e2e[\\/][^\\/]+\.spec\.ts$/,
            testIgnore: /pictures/,
            // Playwright emulates no media in a system Firefox.
            grepInvert: [/@emulated/, ...left(/@chromium|@full/)],
            // Playwright drives a system Firefox over WebDriver BiDi under this channel.
            use: { browserName: 'firefox' as const, channel: 'moz-firefox', launchOptions: { executablePath: firefox } },
          },
        ]
      : []),
    {
      name: 'consumers',
      testMatch: 'consumers/*.spec.ts',
      // The tests of a file share an application.
      fullyParallel: false,
      timeout: 240_000,
      use: { ...devices['Desktop Chrome'], ...inChromium },
    },
  ],
  ...(onlyConsumers
    ? {}
    : {
        webServer: {
          command: `${process.env.E2E_BUILT === '1' ? '' : `${vite} build --logLevel warn && `}${vite} preview --port ${process.env.E2E_PORT} --strictPort`,
          url: baseURL,
          reuseExistingServer: false,
          timeout: 120_000,
        },
      }),
});
