import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, expectAccessible, takePicture, test, visit } from './fixtures.ts';
import type { LaunchedHost } from './launchLoopback.ts';

const hostile = ['<img src=x onerror=alert(1)>', '</script><script>alert(1)</script>', '" onmouseover="alert(1)', 'javascript:alert(1)', `![](https://evil.test/x.png) ${'w'.repeat(5000)}`, '\u202Edesrever'];

async function evaluate(host: LaunchedHost, ...more: string[]): Promise<{ evaluation_id: string; number: number }> {
  const { stdout } = await host.command(['eval', '--provider', 'builtin', '--json', '--quiet', ...more]);
  return JSON.parse(stdout) as { evaluation_id: string; number: number };
}

test('T09: hostile text in an HTML report, in a browser without a network: nothing runs, nothing is asked for, the page keeps its width', async ({ host, chromium }) => {
  const files = { suite: join(host.workspace, 'hostile.json'), tools: join(host.workspace, 'tools.json'), report: join(host.workspace, 'report.html') };
  const cases = hostile.map((text, index) => ({ id: `case-${index}`, name: text, query: `add a task ${text}`, expected_calls: [{ server: 's', tool: 'add_task' }] }));
  await writeFile(files.suite, JSON.stringify({ version: 1, name: hostile[0], servers: ['s'], cases }));
  await writeFile(files.tools, JSON.stringify({ tools: [{ server: 's', name: 'add_task', description: 'Adds a new task' }, { server: 's', name: 'delete_task', description: 'Deletes a task' }] }));
  await evaluate(host, '--suite', files.suite, '--tools', files.tools, '--report', files.report);
  for (const javaScriptEnabled of [true, false]) {
    const context = await chromium.newContext({ viewport: { width: 1000, height: 800 }, offline: true, javaScriptEnabled });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => { faults.push(dialog.message()); void dialog.dismiss(); });
    page.on('request', (request) => { if (request.url() !== pathToFileURL(files.report).href) faults.push(request.url()); });
    await page.goto(pathToFileURL(files.report).href);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('<img src=x onerror=alert(1)>');
    await expect(page.locator('#runs tbody tr')).toHaveCount(hostile.length);
    await expect(page.getByText('[U+202E]desrever').first()).toBeVisible();
    await page.locator('#runs tbody tr').nth(2).hover();
    expect(await page.locator('img, iframe, object, link').count()).toBe(0);
    expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(1000);
    expect(faults).toEqual([]);
    await context.close();
  }
});

test('an HTML report of the sample: sorted by a click and back, a cell opens its runs, readable for everyone in both themes', async ({ host, chromium }) => {
  const report = join(host.workspace, 'sample.html');
  await evaluate(host, '--suite', 'todo-sample', '--report', report);
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await chromium.newContext({ viewport: { width: 1280, height: 1000 }, offline: true, colorScheme });
    const page = await context.newPage();
    await page.goto(pathToFileURL(report).href);
    await expectAccessible(page);
    await takePicture(page, `report-${colorScheme}`);
    const times = async (): Promise<number[]> => (await page.locator('#runs tbody tr:not([hidden]) td:last-child').allTextContents()).map(Number);
    await page.locator('#runs').getByRole('button', { name: 'ms' }).click();
    const sorted = await times();
    expect(sorted).toEqual([...sorted].sort((a, b) => a - b));
    await page.locator('#runs').getByRole('button', { name: 'ms' }).click();
    expect(await times()).toEqual([...sorted].sort((a, b) => b - a));
    const shown = page.locator('#runs tbody tr:visible');
    // Other tests may have put cases into the sample.
    const all = await shown.count();
    const cell = page.locator('.matrix a').first();
    const n = Number(await cell.textContent());
    await cell.click();
    await expect(shown).toHaveCount(n);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(shown).toHaveCount(all);
    await context.close();
  }
});

test('Export on the page of an evaluation saves the bytes that the command line writes', async ({ host, window }) => {
  const { evaluation_id: id, number } = await evaluate(host, '--suite', 'todo-sample');
  await visit(window, `evaluations/${id}`);
  await window.getByRole('button', { name: 'Export' }).click();
  await takePicture(window, 'export');
  const [download] = await Promise.all([window.waitForEvent('download'), window.getByRole('menuitem', { name: 'CSV, a run a line' }).click()]);
  expect(download.suggestedFilename()).toBe(`evaluation-${number}-todo-sample.csv`);
  const { stdout } = await host.command(['export', String(number), '--to', 'csv']);
  expect(await readFile(await download.path(), 'utf8')).toBe(stdout);
});
