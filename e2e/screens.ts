import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, visit } from './fixtures.ts';

/** What the addresses of screens are made of. */
export interface Ids {
  server: string;
  tool: string;
  suite: string;
  caseId: string;
  evaluation: string;
  other: string;
  run: string;
  workshopTool: string;
}

export interface Screen {
  name: string;
  path: string;
  /** What is to be opened or asked for before the screen shows what it is for. */
  then?: (page: Page) => Promise<void>;
}

export const areas = ['basics', 'evaluations', 'labs', 'dialogs'] as const;
export type Area = (typeof areas)[number];

const press =
  (name: string | RegExp, waitFor?: (page: Page) => ReturnType<Page['locator']>) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).first().click();
    if (waitFor !== undefined) await waitFor(page).first().waitFor();
  };
const dialog = (page: Page) => page.getByRole('dialog');
const panel = (page: Page) => page.getByRole('complementary');
const fromMenu =
  (item: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'More actions' }).first().click();
    await page.getByRole('menuitem', { name: item }).click();
    await dialog(page).or(panel(page)).first().waitFor();
  };

async function importTools(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const tool = {
    touchstone_tool: 1,
    name: 'from_a_file',
    description: 'Came in from a file.',
    executor_type: 'shell',
    script: 'from_a_file.sh',
    input_schema: { type: 'object' },
  };
  await (
    await chooser
  ).setFiles([
    {
      name: 'from_a_file.tool.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(tool)),
    },
  ]);
  await dialog(page).waitFor();
}

/** Every screen of the program, by area, and every dialog that lies over one. */
export function screensOf(ids: Ids): Record<Area, Screen[]> {
  const { server, tool, suite, caseId, evaluation, other, run, workshopTool } = ids;
  const tabs = [
    'confusions',
    'tools',
    'confidence',
    'parameters',
    'repetitions',
    'latency',
    'snapshot',
    'settings',
  ];
  return {
    basics: [
      { name: 'overview', path: '' },
      { name: 'servers', path: 'servers' },
      { name: 'server', path: `servers/${server}` },
      {
        name: 'server-tool',
        path: `servers/${server}?tool=${encodeURIComponent(tool)}`,
        then: async (page) => {
          await panel(page).waitFor();
        },
      },
      { name: 'servers-import', path: 'servers/import' },
      { name: 'suites', path: 'suites' },
      { name: 'suite', path: `suites/${suite}` },
      {
        name: 'suite-case',
        path: `suites/${suite}?case=${caseId}`,
        then: async (page) => {
          await panel(page).waitFor();
        },
      },
      { name: 'suite-import', path: 'suites/import' },
      { name: 'suite-propose', path: `suites/${suite}/propose` },
      { name: 'settings', path: 'settings' },
    ],
    evaluations: [
      { name: 'evaluations', path: 'evaluations' },
      { name: 'evaluation-new', path: `evaluations/new?suite=${suite}` },
      { name: 'result', path: `evaluations/${evaluation}` },
      ...tabs.map((tab) => ({
        name: `result-${tab}`,
        path: `evaluations/${evaluation}?tab=${tab}`,
      })),
      { name: 'case', path: `evaluations/${evaluation}/runs/${run}` },
      { name: 'compare', path: `evaluations/compare?base=${evaluation}&with=${other}` },
      { name: 'trend', path: 'evaluations/trend' },
      { name: 'metrics', path: 'evaluations/metrics' },
      { name: 'what-if', path: `evaluations/${evaluation}/what-if` },
    ],
    labs: [
      {
        name: 'similarity',
        path: 'similarity',
        then: press('Compare tools', (page) => page.getByRole('application')),
      },
      { name: 'quality', path: 'similarity/quality' },
      { name: 'rewrites', path: 'similarity/rewrites' },
      { name: 'retrieval', path: 'retrieval' },
      { name: 'golden', path: 'retrieval/golden/retrieval_golden_v1' },
      { name: 'tokens', path: 'tokens' },
      ...['find', 'frontier'].map((tab) => ({ name: `tokens-${tab}`, path: `tokens?tab=${tab}` })),
      { name: 'security', path: 'security' },
      { name: 'detectors', path: 'security/detectors' },
      { name: 'corpora', path: 'security/corpora' },
      {
        name: 'corpus',
        path: 'security/corpora',
        then: async (page) => {
          await page.getByRole('grid').getByRole('row').nth(1).click();
          await page.waitForURL(/corpora\/./);
          await page.getByRole('heading', { level: 1 }).waitFor();
        },
      },
      { name: 'workshop', path: 'workshop' },
      { name: 'workshop-new', path: 'workshop/new' },
      { name: 'workshop-tool', path: `workshop/${workshopTool}` },
      ...['run', 'versions', 'executions', 'models'].map((tab) => ({
        name: `workshop-tool-${tab}`,
        path: `workshop/${workshopTool}?tab=${tab}`,
      })),
      { name: 'workshop-executions', path: 'workshop/executions' },
    ],
    dialogs: [
      {
        name: 'palette',
        path: '',
        then: async (page) => {
          await page.keyboard.press('Control+k');
          await dialog(page).waitFor();
        },
      },
      {
        name: 'shortcuts',
        path: 'evaluations',
        then: async (page) => {
          await page.keyboard.press('?');
          await dialog(page).waitFor();
        },
      },
      { name: 'theme-menu', path: '', then: press(/^Theme/, (page) => page.getByRole('menu')) },
      {
        name: 'server-add',
        path: 'servers?add',
        then: async (page) => {
          await panel(page).waitFor();
        },
      },
      { name: 'server-remove', path: `servers/${server}`, then: fromMenu('Remove') },
      { name: 'servers-export', path: 'servers', then: fromMenu('Export servers') },
      {
        name: 'suite-new',
        path: 'suites?new',
        then: async (page) => {
          await panel(page).waitFor();
        },
      },
      { name: 'suite-export', path: `suites/${suite}`, then: fromMenu(/^Export/) },
      { name: 'rescore', path: `evaluations/${evaluation}`, then: fromMenu('Re-score…') },
      {
        name: 'delete-raw',
        path: `evaluations/${evaluation}`,
        then: fromMenu('Delete raw traffic'),
      },
      {
        name: 'export-menu',
        path: `evaluations/${evaluation}`,
        then: press('Export', (page) => page.getByRole('menu')),
      },
      {
        name: 'retriever-panel',
        path: 'retrieval',
        then: press('Another retriever', (page) => dialog(page).or(panel(page))),
      },
      {
        name: 'corpus-from-servers',
        path: 'retrieval',
        then: press('Corpus from servers', (page) => dialog(page).or(panel(page))),
      },
      {
        name: 'serve',
        path: 'workshop',
        then: press('Serve', (page) => dialog(page).or(panel(page))),
      },
      { name: 'tools-import', path: 'workshop', then: importTools },
      ...['categories', 'settings'].map((which) => ({
        name: `workshop-${which}`,
        path: `workshop?panel=${which}`,
        then: async (page: Page) => {
          await panel(page).waitFor();
        },
      })),
      {
        name: 'run-confirm',
        path: `workshop/${workshopTool}?tab=run`,
        then: press('Run tool', dialog),
      },
      {
        name: 'cases-edit',
        path: `suites/${suite}`,
        then: async (page) => {
          await page.getByRole('grid', { name: 'Cases' }).getByRole('checkbox').nth(1).check();
          await press('Edit', dialog)(page);
        },
      },
      { name: 'nowhere', path: 'no-such-screen' },
    ],
  };
}

/** The id in the address of what the first row of a screen's last list opens. */
async function idIn(page: Page, path: string, pattern: RegExp): Promise<string> {
  await visit(page, path);
  await page.getByRole('grid').last().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(pattern);
  return pattern.exec(page.url())?.[1] ?? '';
}

/** Goes there, and does what the screen needs. */
export async function show(page: Page, { path, then }: Screen): Promise<void> {
  await visit(page, path);
  await then?.(page);
  await page.waitForLoadState('networkidle');
}

/**
 * What only the window tells: the ids of a case, a run and a tool of the workshop. And the tools
 * are listed once.
 */
export async function complete(page: Page, ids: Ids): Promise<void> {
  if (ids.run !== '') return;
  await visit(page, `servers/${ids.server}`);
  await page.getByRole('button', { name: 'List tools now' }).first().click();
  await expect(page.getByText(/^[0-9]+ tools$/).first()).toBeVisible();
  ids.caseId = await idIn(page, `suites/${ids.suite}`, /case=([^&]+)/);
  ids.run = await idIn(page, `evaluations/${ids.evaluation}`, /\/runs\/([^?]+)/);
  ids.workshopTool = await idIn(page, 'workshop', /workshop\/([0-9a-f-]{36})/);
}

/**
 * Closes what lies over the screen. A list that is open in a dialog takes the first Esc for itself.
 */
export async function closeDialogs(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0, { timeout: 1_000 });
  }).toPass({ timeout: 10_000 });
}

const features = join(import.meta.dirname, '..', 'src-renderer', 'features');

/**
 * The addresses that the program knows, as patterns: a screen that is added has to be walked too.
 */
export function knownRoutes(): RegExp[] {
  return readdirSync(features).flatMap((name) => {
    const text = readFileSync(join(features, name, 'index.ts'), 'utf8');
    return [...text.matchAll(/path: '([^']+)'/g)].map(
      ([, path = '']) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/?]+')}(\\?|$)`),
    );
  });
}
