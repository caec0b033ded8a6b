import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, expectLoaded, visit } from './fixtures.ts';
import { compareTools, heatMap } from './similarTools.ts';

/** The ids in the addresses of screens. */
export interface Ids {
  server: string;
  suite: string;
  caseId: string;
  evaluation: string;
  other: string;
  run: string;
  workshopTool: string;
  /** A stored suite with a task. */
  taskSuite: string;
  task: string;
  taskEvaluation: string;
  /** Two runs of one task. */
  taskRuns: string[];
  /** A tool that the task is offered. */
  taskTool: string;
  /** An evaluation of tasks that runs as long as the tests. */
  liveTasks: string;
}

/** The ids before the workspace has anything. */
export const noIds = (): Ids => ({
  server: '',
  suite: '',
  caseId: '',
  evaluation: '',
  other: '',
  run: '',
  workshopTool: '',
  taskSuite: '',
  task: '',
  taskEvaluation: '',
  taskRuns: [],
  taskTool: '',
  liveTasks: '',
});

export interface Screen {
  name: string;
  path: string;
  /** Opens or loads what the screen is for. */
  prepare?: (page: Page) => Promise<void>;
}

export const areas = ['basics', 'evaluations', 'labs', 'dialogs'] as const;
export type Area = (typeof areas)[number];

const press =
  (name: string | RegExp, waitFor?: (page: Page) => ReturnType<Page['locator']>) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).first().click();
    await scrollBack(page);
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

/** Playwright scrolls to what it presses. */
const scrollBack = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const part of document.querySelectorAll('main, aside > *')) part.scrollTo({ top: 0 });
  });

/** Opens every part of the form in the panel. */
async function openFolds(page: Page): Promise<void> {
  await panel(page).waitFor();
  for (const fold of await panel(page).locator('details > summary').all()) await fold.click();
  await scrollBack(page);
}

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

/** Every screen of the program by area, and every dialog and panel. */
export function screensOf(ids: Ids): Record<Area, Screen[]> {
  const { server, suite, caseId, evaluation, other, run, workshopTool } = ids;
  const { taskSuite, task, taskEvaluation, taskTool, liveTasks } = ids;
  const [taskRun = 'x', otherTaskRun = 'x'] = ids.taskRuns;
  const tabs = ['failures', 'runs', 'numbers'];
  return {
    basics: [
      { name: 'overview', path: '' },
      { name: 'tools', path: 'tools' },
      { name: 'server', path: `servers/${server}` },
      { name: 'servers-import', path: 'tools/import' },
      { name: 'suites', path: 'suites' },
      { name: 'suite', path: `suites/${suite}` },
      {
        name: 'suite-case',
        path: `suites/${suite}?case=${caseId}`,
        prepare: async (page) => {
          await panel(page).waitFor();
        },
      },
      { name: 'suite-tasks', path: `suites/${taskSuite}?show=tasks` },
      { name: 'suite-without-tasks', path: `suites/${suite}?show=tasks` },
      { name: 'suite-import', path: 'suites/import' },
      { name: 'suite-propose', path: `suites/${suite}/propose` },
      { name: 'suite-propose-tool', path: 'suites/propose?tool=todo:add_task' },
      { name: 'suite-for-tool', path: `suites/for-tool/${workshopTool}` },
      { name: 'settings', path: 'settings' },
    ],
    evaluations: [
      { name: 'results', path: 'results' },
      { name: 'evaluation-new', path: `results/new?suite=${suite}` },
      { name: 'result', path: `results/${evaluation}` },
      ...tabs.map((tab) => ({
        name: `result-${tab}`,
        path: `results/${evaluation}?tab=${tab}`,
      })),
      { name: 'case', path: `results/${evaluation}/runs/${run}` },
      { name: 'task-evaluation-new', path: `results/new?suite=${taskSuite}&run=tasks` },
      { name: 'task-result', path: `results/${taskEvaluation}` },
      {
        name: 'task-result-live',
        path: `results/${liveTasks}`,
        prepare: async (page) => {
          await page
            .getByText(/^0 of [1-9][0-9,]* runs?/u)
            .first()
            .waitFor();
        },
      },
      ...['runs', 'numbers'].map((tab) => ({
        name: `task-result-${tab}`,
        path: `results/${taskEvaluation}?tab=${tab}`,
      })),
      { name: 'task-run', path: `results/${taskEvaluation}/runs/${taskRun}` },
      {
        name: 'task-runs-aligned',
        path: `results/${taskEvaluation}/runs/${taskRun}?with=${taskEvaluation}/${otherTaskRun}`,
        prepare: async (page) => {
          await page.getByRole('region', { name: 'Trajectory' }).getByRole('status').waitFor();
        },
      },
      {
        name: 'task-run-exchanges',
        path: `results/${taskEvaluation}/runs/${taskRun}?tab=exchanges`,
      },
      { name: 'compare', path: `results/${other}?compare=${evaluation}` },
      { name: 'metrics', path: 'results/numbers' },
      {
        name: 'fix',
        path: `tools/todo/add_task/edit?result=${evaluation}`,
      },
      {
        name: 'fix-tasks',
        path: `tools/${taskTool.replace(':', '/')}/edit?result=${taskEvaluation}`,
      },
      { name: 'optimizer', path: `results/${evaluation}/search` },
      { name: 'optimizer-tasks', path: `results/${taskEvaluation}/search` },
      { name: 'what-if', path: `results/${evaluation}/estimate` },
      { name: 'what-if-tasks', path: `results/${taskEvaluation}/estimate` },
    ],
    labs: [
      {
        name: 'similarity',
        path: 'tools/similar',
        prepare: async (page) => {
          await compareTools(page);
          await heatMap(page).waitFor();
        },
      },
      { name: 'quality', path: 'tools?quality' },
      { name: 'candidates', path: 'tools?only=candidates' },
      { name: 'tool', path: 'tools/todo/add_task' },
      { name: 'retrieval', path: 'labs/retrieval' },
      { name: 'golden', path: 'labs/retrieval/golden/retrieval_golden_v1' },
      { name: 'tokens', path: 'tools/tokens' },
      { name: 'tokens-find', path: 'tools/tokens?tab=find' },
      { name: 'accuracy', path: 'labs/accuracy-vs-tokens' },
      { name: 'security', path: 'tools/signals' },
      { name: 'clients', path: 'tools/clients' },
      { name: 'detectors', path: 'labs/detectors' },
      { name: 'corpora', path: 'labs/detectors/corpora' },
      {
        name: 'corpus',
        path: 'labs/detectors/corpora',
        prepare: async (page) => {
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
        prepare: async (page) => {
          await page.keyboard.press('Control+k');
          await dialog(page).waitFor();
        },
      },
      {
        name: 'shortcuts',
        path: 'results',
        prepare: async (page) => {
          await page.keyboard.press('?');
          await dialog(page).waitFor();
        },
      },
      { name: 'theme-menu', path: '', prepare: press(/^Theme/, (page) => page.getByRole('menu')) },
      {
        name: 'server-add',
        path: 'tools?add',
        prepare: async (page) => {
          await panel(page).waitFor();
        },
      },
      {
        name: 'server-add-http',
        path: 'tools?add',
        prepare: async (page) => {
          await panel(page).getByText('Address (HTTP)').click();
          await panel(page)
            .getByRole('checkbox', { name: 'Each session has its own data' })
            .check();
        },
      },
      {
        name: 'evaluation-new-command',
        path: `results/new?suite=${suite}`,
        prepare: async (page) => {
          await page.getByRole('combobox', { name: 'Provider' }).first().click();
          await page.getByRole('option', { name: 'Command' }).click();
          await page.getByRole('textbox', { name: 'Command' }).fill('/bin/program --option');
        },
      },
      {
        name: 'suite-task',
        path: `suites/${taskSuite}?task=${task}`,
        prepare: openFolds,
      },
      {
        name: 'suite-task-new',
        path: `suites/${taskSuite}?task=new`,
        prepare: openFolds,
      },
      { name: 'server-remove', path: `servers/${server}`, prepare: fromMenu('Remove') },
      { name: 'servers-export', path: 'tools', prepare: fromMenu('Export servers') },
      {
        name: 'suite-new',
        path: 'suites?new',
        prepare: async (page) => {
          await panel(page).waitFor();
        },
      },
      { name: 'suite-export', path: `suites/${suite}`, prepare: fromMenu(/^Export/) },
      { name: 'rescore', path: `results/${evaluation}`, prepare: fromMenu('Re-score…') },
      {
        name: 'delete-raw',
        path: `results/${evaluation}`,
        prepare: fromMenu('Delete raw traffic'),
      },
      {
        name: 'export-menu',
        path: `results/${evaluation}`,
        prepare: press('Export', (page) => page.getByRole('menu')),
      },
      {
        name: 'retriever-panel',
        path: 'labs/retrieval',
        prepare: press('Add external retriever', (page) => dialog(page).or(panel(page))),
      },
      {
        name: 'corpus-from-servers',
        path: 'labs/retrieval',
        prepare: press('Corpus from servers', (page) => dialog(page).or(panel(page))),
      },
      {
        name: 'serve',
        path: 'workshop',
        prepare: press('Serve', (page) => dialog(page).or(panel(page))),
      },
      { name: 'tools-import', path: 'workshop', prepare: importTools },
      ...['categories', 'settings'].map((which) => ({
        name: `workshop-${which}`,
        path: `workshop?panel=${which}`,
        prepare: async (page: Page) => {
          await panel(page).waitFor();
        },
      })),
      {
        name: 'run-confirm',
        path: `workshop/${workshopTool}?tab=run`,
        prepare: press('Run tool', dialog),
      },
      {
        name: 'cases-edit',
        path: `suites/${suite}`,
        prepare: async (page) => {
          await page
            .getByRole('grid', { name: 'Cases and tasks' })
            .getByRole('checkbox')
            .nth(1)
            .check();
          await press('Edit', dialog)(page);
        },
      },
      { name: 'nowhere', path: 'no-such-screen' },
    ],
  };
}

/** Opens the first row of the last list on a screen, and returns the id in its address. */
async function idIn(page: Page, path: string, pattern: RegExp): Promise<string> {
  await visit(page, path);
  await page.getByRole('grid').last().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(pattern);
  return pattern.exec(page.url())?.[1] ?? '';
}

/** Opens a screen and prepares it. */
export async function openScreen(page: Page, { path, prepare }: Screen): Promise<void> {
  await visit(page, path);
  await prepare?.(page);
  await expectLoaded(page);
}

/** Lists the tools once, and reads the ids that only the window shows: case, run, workshop tool. */
export async function completeIds(page: Page, ids: Ids): Promise<void> {
  if (ids.run !== '') return;
  await visit(page, `servers/${ids.server}`);
  await page
    .getByRole('button', { name: /^Connect( again)?$/ })
    .first()
    .click();
  await expect(page.getByText(/^[0-9]+ tools$/).first()).toBeVisible();
  ids.caseId = await idIn(page, `suites/${ids.suite}`, /case=([^&]+)/);
  ids.task = await idIn(page, `suites/${ids.taskSuite}?show=tasks`, /task=([^&]+)/);
  ids.run = await idIn(page, `results/${ids.evaluation}?tab=runs`, /\/runs\/([^?]+)/);
  ids.workshopTool = await idIn(page, 'workshop', /workshop\/([0-9a-f-]{36})/);
}

/** Closes all dialogs. A list that is open in a dialog takes the first Escape for itself. */
export async function closeDialogs(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0, { timeout: 1_000 });
  }).toPass({ timeout: 10_000 });
}

const features = join(import.meta.dirname, '..', 'src-renderer', 'features');

/** The routes of the program as patterns, so that a new screen cannot be forgotten here. */
export function knownRoutes(): RegExp[] {
  return readdirSync(features).flatMap((name) => {
    const text = readFileSync(join(features, name, 'index.ts'), 'utf8');
    return [...text.matchAll(/path: '([^']+)'/g)].map(
      ([, path = '']) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/?]+')}(\\?|$)`),
    );
  });
}
