import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { alone } from './namespace.ts';

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
const port = 4020;
const model = `http://127.0.0.1:${port}`;
const own = import.meta.dirname;

const gemini = { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model };
const openai = {
  OPENAI_COMPATIBLE_API_KEY: 'none',
  OPENAI_BASE_URL: `${model}/v1`,
  OPENAI_MODEL: 'm',
};
const anthropic = { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: model };
const copilot = {
  ...{ OPENAI_COMPATIBLE_API_KEY: 'none', COPILOT_PROVIDER_BASE_URL: `${model}/v1` },
  ...{ COPILOT_PROVIDER_TYPE: 'openai', COPILOT_MODEL: 'gpt-4.1', COPILOT_OFFLINE: 'true' },
};
interface Played {
  agent: string;
  program: string;
  env: Record<string, string>;
  /** What its template lacks to reach the model. */
  template?: object;
}
const agents: readonly Played[] = [
  { agent: 'claude', program: 'claude', env: anthropic },
  { agent: 'claude-acp', program: 'claude-agent-acp', env: anthropic },
  { agent: 'gemini', program: 'gemini', env: gemini },
  { agent: 'gemini-acp', program: 'gemini', env: gemini },
  {
    ...{ agent: 'qwen', program: 'qwen', env: openai },
    template: {
      mcp: {
        ...{ file: '.qwen/settings.json', format: 'mcp-servers' },
        // This model doesn't search for tools.
        server: { trust: true, alwaysLoadTools: true },
      },
    },
  },
  { agent: 'copilot-acp', program: 'copilot', env: copilot },
  {
    agent: 'codex',
    program: 'codex',
    env: { OPENAI_API_KEY: 'none' },
    template: {
      mcp: {
        file: '.codex/config.toml',
        format: 'codex',
        others: {
          ...{ model: 'gpt-5', model_provider: 'local' },
          model_providers: {
            local: {
              ...{ name: 'local', base_url: `${model}/v1`, env_key: 'CODEX_API_KEY' },
              wire_api: 'responses',
            },
          },
        },
      },
    },
  },
];

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
function play({ agent, env, template }: Played): string {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'));
  try {
    const write = (name: string, content: object): string => {
      writeFileSync(join(folder, name), JSON.stringify(content));
      return join(folder, name);
    };
    const named = template ? write('agent.yaml', { extends: agent, ...template }) : agent;
    const [requests, left, report] = ['requests', 'left', 'report.json'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    writeFileSync(requests, '');
    const script = `ip link set lo up
node ${join(own, 'recorder.ts')} ${requests} ${port} "$RECORDED_CALL" >/dev/null &
until (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null; do :; done
timeout -k 5 ${values.seconds} "$@" </dev/null
kill $!; wait $! 2>/dev/null
ps -e -o pid=,args= | grep -v -e ' ps -e' -e ' bash -c' -e ' grep -v' -e '\\[.*\\]$' >${left}`;
    const eval_ = ['eval', '--suite', write('suite.json', suite), '--agent', named];
    const options = ['--execute', 'full', '--yes', '--json', '--report', report];
    const { stderr } = spawnSync(
      'unshare',
      [
        ...alone(script),
        ...[process.execPath, join(own, '../../src-main/hosts/cli/main.ts')],
        ...['--workspace', join(folder, 'workspace'), ...eval_, ...options],
      ],
      {
        encoding: 'utf8',
        env: {
          PATH: `${programs}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
          ...{ HOME: folder, LANG: 'C.UTF-8', TERM: 'dumb', TOUCHSTONE_KEYCHAIN: 'off' },
          RECORDED_CALL: JSON.stringify(call),
          ...env,
        },
      },
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
