import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { agentOption, agents, type Played, touchstone } from './agents.ts';
import { runAlone } from './namespace.ts';

/**
 * `npm run clients:agents -- --clients FOLDER [--only AGENT]`: whether real agents do a task on the
 * sample server Todo, with the right call, its check, and no process left. FOLDER/node_modules/.bin
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

const suite = {
  ...{ version: 1, name: 'Agents', servers: ['todo'] },
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
const call = { tool: 'add_task', arguments: { user_id: 'u-1', title: 'Buy milk' } };

/** How one agent did, and which processes it left. */
function play(played: Played): string {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'));
  try {
    const named = agentOption(played, folder);
    const [requests, left, report, suiteFile] = ['requests', 'left', 'report', 'suite'].map(
      (name) => join(folder, `${name}.json`),
    ) as [string, string, string, string];
    writeFileSync(suiteFile, JSON.stringify(suite));
    const { stderr } = runAlone(
      {
        ...{ requests, call, left, path: programs, seconds: values.seconds },
        env: { HOME: folder, TOUCHSTONE_KEYCHAIN: 'off', ...played.env },
      },
      [
        ...[...touchstone(folder), 'eval', '--suite', suiteFile, '--agent', named],
        ...['--execute', 'full', '--yes', '--json', '--report', report],
      ],
    );
    if (!existsSync(report)) return `no result: ${stderr.trim().slice(-300)}`;
    const { runs, models } = JSON.parse(readFileSync(report, 'utf8')) as {
      runs: { outcome: string; reason: string | null }[];
      models: { conditions: Record<string, unknown> }[];
    };
    const still = readFileSync(left, 'utf8').trim();
    return [
      String(models[0]?.conditions['agent version']),
      `${runs.filter(({ outcome }) => outcome === 'succeeded').length} of ${runs.length} tasks succeeded`,
      ...runs.flatMap(({ outcome, reason }) => (outcome === 'succeeded' ? [] : [reason])),
      still === '' ? 'no process left' : `left: ${still.slice(0, 300)}`,
    ].join(', ');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const one of agents) {
  if (values.only !== undefined && values.only !== one.agent) continue;
  const isThere = existsSync(join(programs, one.program));
  console.log(`${one.agent}: ${isThere ? play(one) : 'not installed'}`);
}
