import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import {
  callWhatIsNamed,
  startFakeModelServer,
  type FakeModelServer,
} from '../src-main/testing/fakeModelServer/start.ts';
import { expectAccessible } from './accessibility.ts';
import { commandJson, evaluate, evaluateTasks, fakeServerCommand, suiteIdOf } from './commands.ts';
import { expect, horizontalOverflow, test, visit } from './fixtures.ts';

/** 17 tools whose schema names its draft, one as it is sent, and two that no model is offered. */
const board = [
  ...['create', 'update', 'delete', 'list', 'assign', 'label', 'close', 'reopen', 'search'],
  ...['comment', 'link', 'unlink', 'watch', 'move', 'rank', 'estimate', 'export'],
].map((verb) => ({
  name: `${verb}_issue`,
  description: `Can ${verb} an issue of the board.`,
  inputSchema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { issue: { type: 'string', description: 'Number of the issue.' } },
    required: ['issue'],
  },
}));
const plain = { type: 'object', properties: { name: { type: 'string' } } };
const tools = [
  ...board,
  { name: 'count_boards', description: 'Counts the boards.', inputSchema: plain },
  { name: 'ask_text', description: 'Asks a text.', inputSchema: { type: 'string' } },
  { name: 'no_schema', description: 'Has no schema.', inputSchema: null },
];
const account = '18 of 20 tools offered; 17 with an adapted schema';
const cases = [
  ['c1', 'Use create_issue for a new bug.', 'create_issue'],
  ['c2', 'Use list_issue to see what is open.', 'list_issue'],
];

let model: FakeModelServer;
test.beforeAll(async () => {
  model = await startFakeModelServer({ models: ['careful-2', 'quick-2'], rule: callWhatIsNamed });
});
test.afterAll(async () => {
  await model[Symbol.asyncDispose]();
});

const asked = (name: string): string[] => [
  ...['--provider', 'openai-compatible', '--base-url', `${model.origin}/v1`, '--model', name],
];

/** The account of a place is one line, which opens to a row for each tool. */
async function expectAccount(page: Page, text = account): Promise<void> {
  const line = page.locator('main summary').filter({ hasText: text }).first();
  await expect(line).toBeVisible();
  await line.click();
  const rows = page
    .getByRole('list', { name: 'Tools that are sent otherwise' })
    .getByRole('listitem');
  await expect(rows.filter({ hasText: 'board:ask_text: left out (' })).toBeVisible();
  await expect(rows.filter({ hasText: 'board:no_schema: left out (' })).toBeVisible();
  await expect(
    rows.filter({ hasText: 'board:create_issue: adapted schema ($schema left out)' }),
  ).toBeVisible();
  await expect(rows).toHaveCount(19);
  await expectAccessible(page);
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await horizontalOverflow(page)).toBe(0);
  }
}

test(
  'says how many tools a model is offered and how many are adapted, in the plan, results and details',
  { tag: '@nightly' },
  async ({ window, host }, info) => {
    test.slow();
    const file = info.outputPath('board.json');
    await writeFile(file, JSON.stringify({ tools }));
    await host.command([
      ...['servers', 'add', '--list-tools', 'board'],
      ...['--stdio', fakeServerCommand('normal', '--tools', file)],
    ]);
    const suite = info.outputPath('board.suite.json');
    await writeFile(
      suite,
      JSON.stringify({
        version: 1,
        name: 'board-issues',
        servers: ['board'],
        cases: cases.map(([id, query, tool]) => ({
          ...{ id, name: id, query },
          expected_calls: [{ server: 'board', tool, parameters: {} }],
        })),
      }),
    );
    await host.command(['suite', 'import', suite]);

    const one = await evaluate(host, 'board-issues', ...asked('careful-2'));
    await visit(window, `results/${one.evaluation_id}`);
    await expect(
      window.getByText('18 of 20 tools, 17 schemas adapted', { exact: true }),
    ).toBeVisible();
    await expectAccount(window);
    await visit(window, `results/${one.evaluation_id}?tab=numbers`);
    await expect(
      window.getByRole('region', { name: 'Tools offered' }).getByText(account),
    ).toBeVisible();

    const both = await commandJson<{ evaluation_id: string }>(
      host,
      ...['eval', '--suite', 'board-issues', '--quiet', ...asked('careful-2'), 'quick-2'],
    );
    await visit(window, `results/${both.evaluation_id}?tab=numbers`);
    for (const name of ['careful-2', 'quick-2'])
      await expect(window.getByText(`${name}: ${account}`).first()).toBeVisible();

    const { taskEvaluation } = await evaluateTasks(
      host,
      join(info.outputDir, 'tasks.suite.json'),
      {
        version: 1,
        name: 'board-tasks',
        servers: ['board'],
        cases: [
          {
            ...{ id: 't1', name: 'File a bug', turns: ['Use create_issue for a new bug.'] },
            checks: [{ calls: { must: ['create_issue'] } }],
          },
        ],
      },
      'stub',
      ...asked('careful-2'),
    );
    await visit(window, `results/${taskEvaluation}`);
    await expect(
      window.getByText('18 of 20 tools, 17 schemas adapted', { exact: true }),
    ).toBeVisible();
    await expectAccount(window);

    await visit(window, `results/new?suite=${await suiteIdOf(host, 'board-issues')}`);
    const first = window.getByRole('group', { name: 'Model 1' });
    await first.getByRole('combobox', { name: 'Provider' }).click();
    await window.getByRole('option', { name: 'Compatible endpoint' }).click();
    await first.getByRole('textbox', { name: 'Base URL' }).fill(`${model.origin}/v1`);
    await first.getByLabel('Model', { exact: true }).fill('careful-2');
    await window.keyboard.press('Escape');
    const estimate = window.getByRole('group', { name: 'Estimate' });
    await expect(estimate.getByText('18 tools ·').first()).toBeVisible();
    await expectAccount(window);
  },
);
