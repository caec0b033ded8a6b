import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  // Takes pictures for people to look at, and asserts nothing.
  testIgnore: process.env['TOUCHSTONE_LOOKS'] ? [] : ['looks.spec.ts'],
  outputDir: '../test-results',
  fullyParallel: false,
  // Each file has a program and a browser of its own.
  workers: 2,
  // What passes at its second try is printed as flaky and is a fault of its own; it alone does not
  // refuse a change.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  forbidOnly: Boolean(process.env['CI']),
});
