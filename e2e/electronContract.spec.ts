import { expect, test } from '@playwright/test';
import { join } from 'node:path';
import { rules } from '../src-main/testing/electronContract/rules.ts';
import { buildContract, runRule } from '../src-main/testing/electronContract/runContract.ts';
import { browserVariable } from '../src-main/testing/fakeElectron/chromium.ts';
import { startStandInBrowser } from './browser.ts';
import { standInPrefix } from './standIn.ts';

// The same rules run in real Electron with `npm run electron:contract`.
const run = rules.filter(
  (rule) => rule.run !== undefined && rule.systems?.includes(process.platform) !== false,
);
const atOnce = 3;
const results = new Map(run.map((rule) => [rule.id, Promise.withResolvers<unknown>()]));
let browser: Awaited<ReturnType<typeof startStandInBrowser>>;

test.beforeAll(async () => {
  browser = await startStandInBrowser();
  const app = await buildContract(join(import.meta.dirname, '..'));
  const program = {
    binary: process.execPath,
    prefix: standInPrefix,
    env: { ...process.env, [browserVariable]: browser.address },
  };
  const waiting = [...run];
  for (let worker = 0; worker < atOnce; worker += 1)
    void (async () => {
      for (let rule = waiting.shift(); rule !== undefined; rule = waiting.shift()) {
        const result = results.get(rule.id);
        await runRule(rule, program, app).then(result?.resolve, result?.reject);
      }
    })();
});
test.afterAll(() => browser.close());

for (const { id, says } of run)
  test(`the stand-in keeps the rule ${id}: ${says}`, async () => {
    expect(await results.get(id)?.promise).toBeNull();
  });
