import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import {
  startFakeHttpServer,
  type FakeHttpServer,
} from '../src-main/testing/fakeMcpServer/start.ts';
import {
  callWhatIsNamed,
  startFakeModelServer,
  type FakeModelServer,
} from '../src-main/testing/fakeModelServer/start.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test, visit } from './fixtures.ts';

const inputSchema = { type: 'object' };
const tools = [
  { name: 'refund_order', description: 'Gives the money of an order back.' },
  { name: 'ship_order', description: 'Sends an order on its way.' },
  { name: 'weigh_parcel', description: 'Tells how heavy a parcel is.' },
];
const query = (id: string, text: string, tool: string) => ({
  id,
  query: text,
  labels: [{ tool_id: `shop:${tool}`, relevance: 2 }],
});
const corpus = {
  version: 'shop_v1',
  tools: tools.map(({ name, description }) => ({
    tool_id: `shop:${name}`,
    server: 'shop',
    tool: name,
    description,
  })),
};
const golden = {
  version: 'shop_golden_v1',
  corpus_version: 'shop_v1',
  queries: [
    query('q1', 'the money back, please', 'refund_order'),
    query('q2', 'how heavy is it', 'weigh_parcel'),
  ],
};

let folder = '';
let server: FakeHttpServer;
let model: FakeModelServer;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-retrievers-'));
  const toolsFile = join(folder, 'tools.json');
  await writeFile(
    toolsFile,
    JSON.stringify({
      tools: [
        { name: 'search_tools', description: 'Searches.', inputSchema },
        ...tools.map((tool) => ({ ...tool, inputSchema })),
      ],
    }),
  );
  server = await startFakeHttpServer('normal', 'json', { tools: toolsFile });
  model = await startFakeModelServer({ models: ['quick-model'], rule: callWhatIsNamed });
});
test.afterAll(async () => {
  await server.close();
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A field with a list: a text box where the reader can type in it, else a combo box. */
const list = (page: Page, name: string) =>
  page
    .getByRole('combobox', { name, exact: true })
    .or(page.getByRole('textbox', { name, exact: true }))
    .first();

async function importFile(page: Page, kind: RegExp, name: string, content: unknown): Promise<void> {
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: kind }).click();
  await (
    await chooser
  ).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(content)) });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
}

test(
  'imports datasets, rejects a bad one by line, and compares a server’s search tool',
  { tag: '@picture' },
  async ({ window, host }) => {
    await host.command(['servers', 'add', 'shop', '--url', server.url]);
    await visit(window, 'labs/retrieval');
    await importFile(window, /^Corpus/, 'shop_v1.json', corpus);
    await expect(window.getByText('Imported shop_v1.')).toBeVisible();
    await importFile(window, /^Golden set/, 'bad.json', {
      ...golden,
      version: 'bad',
      queries: [query('q1', 'x', 'no_such_tool')],
    });
    await expect(window.getByText(/bad\.json:1/).first()).toBeVisible();
    await expect(
      window
        .getByText(/q1: The label shop:no_such_tool isn't a tool of the corpus shop_v1/)
        .first(),
    ).toBeVisible();
    await importFile(window, /^Golden set/, 'shop_golden_v1.json', golden);
    const datasets = window.getByRole('grid', { name: 'Datasets' });
    await expect(datasets.getByText('shop_golden_v1', { exact: true })).toBeVisible();
    await expect(datasets.getByText('bad', { exact: true })).toHaveCount(0);

    await visit(window, 'labs/retrieval?golden=shop_golden_v1&retrievers=bm25');
    await window.getByRole('button', { name: 'Add external retriever' }).click();
    await list(window, 'Server').click();
    await window.getByRole('option', { name: 'shop', exact: true }).click();
    await window.getByRole('textbox', { name: 'Search tool' }).fill('search_tools');
    await window.getByRole('textbox', { name: 'Path to results' }).fill('hits');
    await window.getByRole('textbox', { name: 'Tool ID of a result' }).fill('other:{tool}');
    await window.getByRole('textbox', { name: 'Try one query' }).fill('how heavy');
    // By key: Playwright scrolls and clicks in one frame, before the panel has its new height.
    await window.getByRole('button', { name: 'Try', exact: true }).press('Enter');
    // A retriever whose ids are not in the corpus is shown, but cannot be used.
    await expect(
      window.getByText(/matches no tool of the corpus. First: other:weigh_parcel/),
    ).toBeVisible();
    await expect(window.getByRole('button', { name: 'Add to comparison' })).toBeDisabled();
    await window.getByRole('textbox', { name: 'Tool ID of a result' }).fill('{server}:{tool}');
    await window.getByRole('button', { name: 'Try', exact: true }).press('Enter');
    await expect(window.getByText('Found 1 tool of the corpus.')).toBeVisible();
    await expectAccessible(window);
    await window.getByRole('button', { name: 'Add to comparison' }).press('Enter');
    const results = window.getByRole('row').filter({ hasText: 'search_tools of shop' });
    await expect(results.first()).toContainText('1.00');
    // A retriever that works is offered for the frontier too.
    await visit(window, 'labs/accuracy-vs-tokens');
    await list(window, 'Retrievers').press('ArrowDown');
    await expect(window.getByRole('option', { name: 'search_tools of shop' })).toBeVisible();
    await expect(window.getByText(/Embeddings rank here too/)).toBeVisible();
  },
);

test('freezes listed tools as a corpus, under a version that exists once', async ({
  window,
  host,
}) => {
  await host.command(['tools', '--server', 'todo']);
  await visit(window, 'labs/retrieval');
  const freeze = async (version: string) => {
    await window.getByRole('button', { name: 'Corpus from servers' }).click();
    await list(window, 'Servers').click();
    await window.getByRole('option', { name: 'todo' }).click();
    await window.getByRole('textbox', { name: 'Version' }).fill(version);
    await window.getByRole('dialog').getByRole('button', { name: 'Save corpus' }).click();
  };
  await freeze('todo_v1');
  await expect(window.getByRole('dialog')).toHaveCount(0);
  await expect(
    window.getByRole('grid', { name: 'Datasets' }).getByRole('row').filter({ hasText: 'todo_v1' }),
  ).toContainText('5 tools of 1 server');
  await freeze('todo_v1');
  await expect(window.getByRole('dialog')).toContainText('This version already exists');
});

test(
  'says how many evaluations a measurement takes, and measures accuracy against tokens',
  { tag: '@picture' },
  async ({ window }) => {
    test.slow();
    await visit(window, 'labs/accuracy-vs-tokens');
    await list(window, 'Model').click();
    await window.getByRole('option', { name: 'Compatible endpoint' }).click();
    await expect(window.getByRole('button', { name: 'Measure', exact: true })).toBeDisabled();
    await window.getByRole('textbox', { name: 'Model name' }).fill('quick-model');
    await window.getByRole('textbox', { name: 'Base URL' }).fill(`${model.origin}/v1`);
    await expect(
      window.getByText('Each of 6 evaluations puts every case of the suite to the model once.'),
    ).toBeVisible();
    await window.getByRole('button', { name: 'Measure', exact: true }).click();
    await expect(
      window
        .getByText(/No loss of accuracy can be shown|Fewer tools begin to cost accuracy/)
        .first(),
    ).toBeVisible({ timeout: 90_000 });
    await expect(window.getByRole('grid', { name: 'Points' }).getByRole('row')).toHaveCount(7);
    expect(model.requests.filter(({ dialect }) => dialect === 'chat').length).toBeGreaterThan(0);
  },
);

test('counts the tokens of a server with its trend, and those an evaluation froze', async ({
  window,
  host,
}) => {
  await host.command(['tools', '--server', 'todo']);
  await visit(window, 'tools/tokens?server=todo');
  await expect(window.getByRole('heading', { name: 'Trend' })).toBeVisible();
  await expect(
    window.getByRole('grid', { name: 'Listings' }).getByRole('row').nth(1),
  ).toContainText('5');
  const headline = window.getByRole('heading', { name: /^5 tools cost [\d,]+ tokens/ });
  const total = await headline.textContent();
  await list(window, 'Tools of').click();
  await window
    .getByRole('option', { name: /#\d+ todo-sample/ })
    .first()
    .click();
  await expect(window).toHaveURL(/of=snapshot/);
  await expect(window.getByRole('heading', { name: 'Trend' })).toHaveCount(0);
  await expect(headline).toHaveText(total ?? '');
});
