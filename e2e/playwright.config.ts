import { defineConfig } from '@playwright/test';
import { isNightly } from '../src-main/testing/nightly.ts';

export default defineConfig({
  testDir: '.',
  // Takes screenshots for people to look at, and asserts nothing.
  testIgnore: process.env['TOUCHSTONE_SCREENSHOTS'] ? [] : ['screenshots.spec.ts'],
  // Workspaces of unusual size, and second walks over screens that another test walks over.
  grepInvert: isNightly ? [] : /@nightly/u,
  outputDir: '../test-results',
  globalSetup: './globalSetup.ts',
  fullyParallel: false,
  workers: 2,
  // A test that passes at its second try does not fail a run in CI. The list at the end names it as
  // flaky, and its cause is fixed like that of any failure.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  forbidOnly: Boolean(process.env['CI']),
});
