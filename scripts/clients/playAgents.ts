import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { agentOption, agents, type Played, touchstone } from './agents.ts';
import { runAlone } from './namespace.ts';

/**
 * `npm run clients:agents -- --clients FOLDER [--only AGENT]`: whether real agents do a task on the
 * sample server Todo, with the right call, its check, and no process left, and pass three cases. FOLDER/node_modules/.bin
 * holds their programs; one that is missing is left out. Each runs in a network namespace that has
 * loopback only, against a model that calls `add_task` once (Linux, as root).
 */
const { values } = parseArgs({
  options: {
    clients: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '180' },
  },
});
if (values.clients === undefined) throw new Error('Name the folder of the clients with --clients.');
const programs = join(values.clients, 'node_modules', '.bin');

const call = { tool: 'add_task', arguments: { user_id: 'u-1', title: 'Buy milk' } };
const head = { version: 1, servers: ['todo'] };
const task = {
  ...{ ...head, name: 'Agents' },
  cases: [
    {
      ...{ id: 'add', name: 'add', turns: ['Add the task "Buy milk" for user u-1.'] },
      checks: [
        { calls: { must: ['add_task'] } },
        {
          state: {
            ...{ server: 'todo', tool: 'list_tasks', arguments: { user_id: 'u-1' } },
            ...{ at: '/tasks', contains: { title: 'Buy milk' } },
          },
        },
      ],
    },
  ],
};
const texts = ['Add the task "Buy milk"', 'Put "Buy milk" on the list', 'Remind me: Buy milk'];
const cases = {
  ...{ ...head, name: 'Requests' },
  cases: texts.map((text, at) => ({
    ...{ id: `add-${at}`, name: text, query: `${text} for user u-1.` },
    expected_calls: [{ server: 'todo', tool: call.tool, parameters: call.arguments }],
  })),
};

/** How one agent did, and which processes it left. */
function play(played: Played): string {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'));
  try {
    const agent = agentOption(played, folder);
    const [ofTask, ofCases] = [
      evaluate(played, folder, ['--agent', agent, '--execute', 'full', '--yes'], task),
      evaluate(played, folder, ['--agent', agent], cases),
    ];
    return [ofTask.version, ...ofTask.said, ...ofCases.said].join(', ');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the program says of one evaluation of an agent. */
function evaluate(
  { env }: Played,
  folder: string,
  options: readonly string[],
  suite: { name: string },
): { version: string; said: string[] } {
  const [requests, left, report, suiteFile] = ['requests', 'left', 'report', 'suite'].map((name) =>
    join(folder, `${suite.name}-${name}.json`),
  ) as [string, string, string, string];
  writeFileSync(suiteFile, JSON.stringify(suite));
  const { stderr } = runAlone(
    {
      ...{ requests, call, left, path: programs, seconds: values.seconds },
      env: { HOME: folder, TOUCHSTONE_KEYCHAIN: 'off', ...env },
    },
    [
      ...[...touchstone(folder), 'eval', '--suite', suiteFile, ...options],
      ...['--json', '--report', report],
    ],
  );
  if (!existsSync(report))
    return { version: 'unknown', said: [`no result: ${stderr.trim().slice(-300)}`] };
  const { verdict, runs, models } = JSON.parse(readFileSync(report, 'utf8')) as {
    /** Of cases. */
    verdict?: { headline: string; lines: string[] };
    runs: { outcome: string; reason?: string | null }[];
    models: { conditions: Record<string, unknown> }[];
  };
  const still = readFileSync(left, 'utf8').trim();
  const succeeded = runs.filter(({ outcome }) => outcome === 'succeeded').length;
  const headline = verdict?.headline ?? `${succeeded} of ${runs.length} tasks succeeded`;
  const isWhole = /^(\d+) of \1 /.test(headline);
  const why = verdict?.lines.slice(1) ?? runs.flatMap(({ reason }) => reason ?? []);
  return {
    version: String(models[0]?.conditions['agent version']),
    said: [
      headline,
      ...(isWhole ? [] : why),
      still === '' ? 'no process left' : `left: ${still.slice(0, 300)}`,
    ],
  };
}

for (const one of agents) {
  if (values.only !== undefined && values.only !== one.agent) continue;
  const isThere = existsSync(join(programs, one.program));
  console.log(`${one.agent}: ${isThere ? play(one) : 'not installed'}`);
}
