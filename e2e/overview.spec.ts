import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAccessible } from './accessibility.ts';
import { commandJson, evaluate, fakeMcpServer } from './commands.ts';
import { expect, test, visit } from './fixtures.ts';
import { sampleEvaluation } from './sampleWorkspace.ts';

test('the list of suites shows the last result of each, and the overview leads from the last verdict to the tool to fix', async ({
  window,
}) => {
  const { number } = sampleEvaluation();
  await visit(window, 'suites');
  const row = window
    .getByRole('grid', { name: 'Suites' })
    .getByRole('row')
    .filter({ hasText: 'todo-sample' });
  await expect(row).toContainText('75% 46 of 61 cases');
  await visit(window, '');
  const verdict = window.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('heading', { name: '46 of 61 cases passed' })).toBeVisible();
  await expect(verdict.getByRole('link', { name: `#${number} todo-sample` })).toBeVisible();
  await expect(
    verdict.getByText(/^Next: fix .* would raise the pass rate to \d+%\./),
  ).toBeVisible();
  await expect(verdict.getByRole('link', { name: 'Open result' })).toBeVisible();
  await verdict.getByRole('link', { name: /^Fix / }).click();
  await expect(window).toHaveURL(/tools\/todo\/[^/]+\/edit\?result=/);
});

test('a what-if run is folded below its evaluation and is not the last one', async ({
  window,
  host,
}) => {
  const { id, number } = sampleEvaluation();
  await commandJson(host, 'what-if', id, '--without', 'todo:update_task');
  await visit(window, '');
  await window.reload();
  const verdict = window.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('link', { name: `#${number} todo-sample` })).toBeVisible();
  const recent = window.getByRole('region', { name: 'Recent results' });
  await expect(recent.getByText('Estimate', { exact: true })).toHaveCount(0);
  await recent.getByRole('button', { name: '1 estimate' }).click();
  await expect(recent.getByText('Estimate', { exact: true })).toBeVisible();
  await expectAccessible(window);

  await visit(window, 'results');
  const rows = window.getByRole('grid', { name: 'Results' }).getByRole('row');
  await expect(rows.filter({ hasText: 'todo-sample' })).toHaveCount(1);
  await expect(rows.filter({ hasText: '46 of 61 cases' })).toContainText('75%');
  await window.getByRole('button', { name: '1 estimate' }).click();
  await expect(rows.getByText('Estimate', { exact: true })).toBeVisible();
  await expectAccessible(window);
});

test('open pages show an evaluation that the command line ran meanwhile', async ({
  window,
  host,
}) => {
  await window.clock.install();
  await window.reload();
  // As long as the window waits between two looks while nothing runs.
  const evaluateMeanwhile = async (): Promise<string> => {
    const { number } = await evaluate(host, 'todo-sample');
    await window.clock.fastForward(15_000);
    return `#${number}`;
  };
  await visit(window, 'results');
  const list = window.getByRole('grid', { name: 'Results' });
  await expect(list).toBeVisible();
  await expect(list.getByText(await evaluateMeanwhile())).toBeVisible();

  await visit(window, `suites/${sampleEvaluation().suiteId}`);
  const chart = window.getByRole('figure', { name: /^Same as previous / });
  await chart.getByRole('button', { name: 'Show as table' }).click();
  await expect(chart.getByRole('row').filter({ hasText: await evaluateMeanwhile() })).toBeVisible();
});

test('Connect all connects to every server and says what each is', async ({ window, host }) => {
  await commandJson(host, 'servers', 'add', 'gone', '--url', 'http://127.0.0.1:9/mcp');
  await visit(window, '');
  const servers = window.getByRole('region', { name: 'Servers' });
  await servers.getByRole('button', { name: 'Connect all' }).click();
  await expect(servers.getByText('Unreachable', { exact: true })).toBeVisible();
  await expect(servers.getByText('Sample data · 1 server')).toBeVisible();
  await servers.getByRole('button', { name: 'Show sample data' }).click();
  await expect(servers.getByText('Reachable', { exact: true })).toBeVisible();
  await servers.getByRole('button', { name: 'Hide sample data' }).click();
  await expect(servers.getByText('Not counted')).toBeVisible();
});

test('the overview leaves out the sample once there is an own server, and leads to its first cases', async ({
  window,
  host,
}) => {
  const own = [process.execPath, fakeMcpServer, 'normal'].join(' ');
  await commandJson(host, 'servers', 'add', 'own', '--stdio', own, '--list-tools');
  await visit(window, '');
  const next = window.getByRole('region', { name: 'What to do next' });
  await expect(next.getByRole('heading', { name: 'Write the first cases for own' })).toBeVisible();
  await expect(window.getByRole('region', { name: 'Verdict' })).toHaveCount(0);
  await expect(window.getByRole('heading', { name: /^Known about your \d+ tools/ })).toBeVisible();
  await expect(window.getByRole('region', { name: 'Servers' })).toContainText('without cases');
  await expectAccessible(window);
  await next.getByRole('link', { name: 'Propose cases' }).click();
  await expect(window).toHaveURL(/suites\/propose\?server=own$/);
});

test('a new evaluation begins with the suite of the latest one', async ({ window, host }, {
  outputDir,
}) => {
  const file = join(outputDir, 'a-first.suite.yaml');
  await mkdir(outputDir, { recursive: true });
  await writeFile(
    file,
    'version: 1\nname: a-first\nservers: [todo]\ncases:\n  - id: one\n    name: Small talk\n    query: Hello\n    expected_calls: []\n',
  );
  await commandJson(host, 'suite', 'import', file);
  await visit(window, 'results/new');
  await expect(window.getByRole('combobox', { name: 'Suite' })).toHaveValue(/^todo-sample/);
  await expect(window.getByRole('button', { name: 'Run evaluation' })).toBeEnabled();
});

test('a new evaluation begins with the suite of its link, however late the list of suites comes', async ({
  window,
  host,
}, info) => {
  const held: (() => void)[] = [];
  let holds = false;
  await window.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (holds && String(message).includes('suites/list')) held.push(() => server.send(message));
      else server.send(message);
    });
  });
  // The route holds for sockets that are opened from now on.
  await window.reload();
  // Everything that the form needs is known, but of the suites only the earlier ones.
  await visit(window, 'results/new');
  await visit(window, 'tools');
  const file = info.outputPath('newer.suite.yaml');
  await writeFile(
    file,
    'version: 1\nname: newer\nservers: [todo]\ncases:\n  - id: one\n    name: Small talk\n    query: Hello\n    expected_calls: []\n',
  );
  const { id } = await commandJson<{ id: string }>(host, 'suite', 'import', file);
  holds = true;
  const opening = visit(window, `results/new?suite=${id}`);
  await expect.poll(() => held.length).toBeGreaterThan(0);
  holds = false;
  for (const send of held) send();
  await opening;
  await expect(window.getByRole('combobox', { name: 'Suite' })).toHaveValue(/^newer/);
});

test('shows how cases and tasks of one suite came out, with words for both', async ({
  window,
  host,
}) => {
  const file = join(host.workspace, 'both.suite.json');
  await writeFile(
    file,
    JSON.stringify({
      version: 1,
      name: 'cases and tasks',
      servers: ['todo'],
      cases: [
        {
          ...{ id: 'c', name: 'a case', query: 'How are you?' },
          expected_calls: [{ server: 'todo', tool: 'add_task' }],
        },
        { id: 't', name: 'a task', turns: ['Hello'], checks: [{ answer: { $contains: 'zzz' } }] },
      ],
    }),
  );
  const suite = await commandJson<{ id: string }>(host, 'suite', 'import', file);
  for (const only of ['cases', 'tasks'])
    await host.command([
      ...['eval', '--suite', 'cases and tasks', '--only', only, '--provider', 'builtin'],
      ...(only === 'tasks' ? ['--execute', 'stub', '--yes'] : []),
    ]);
  await visit(window, `suites/${suite.id}`);
  const last = window.getByRole('region', { name: 'Last outcome' });
  await expect(last.getByRole('img')).toHaveCount(2);
  const words = last.getByRole('list', { name: 'Outcomes', exact: true }).getByRole('listitem');
  await expect(words).toHaveText([/no tool called/u, /^ failed$/u]);
  await expect(window.getByText('1 case and 1 task', { exact: true })).toBeVisible();
  await window.getByRole('button', { name: 'Tasks 1' }).click();
  await expect(window.getByText('1 of 2 cases and tasks', { exact: true })).toBeVisible();
  await expectAccessible(window);

  const leftOut = (what: string, others: string) =>
    window.getByText(
      `The suite also has 1 ${what}. Cases and tasks run apart, and the ${others} are left out.`,
      { exact: true },
    );
  await visit(window, `results/new?suite=${suite.id}&run=cases`);
  await expect(leftOut('task', 'tasks')).toBeVisible();
  await window.getByRole('radiogroup', { name: 'What to run' }).getByText('1 task').click();
  await expect(leftOut('case', 'cases')).toBeVisible();
  await expectAccessible(window);
});
