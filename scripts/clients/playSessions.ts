import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { agentOption, agents, touchstone } from './agents.ts';
import { type ClientCommand, clientCommands, programOf, prompt } from './clients.ts';
import { model, runAlone } from './namespace.ts';

/**
 * `npm run clients:sessions -- --clients FOLDER [--only ID]`: how many actions of a person lead from a
 * real client to a verdict on cases of its session. The gateway writes itself into the client's own
 * configuration, the client plays one request through it, its session becomes a suite, and the same
 * client as an agent is evaluated with that suite. FOLDER and the isolation are those of
 * `clients:agents`. An action is one command, or one file that is edited.
 */
const { values } = parseArgs({
  options: {
    clients: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '180' },
  },
});
const { clients: folderOfClients, seconds } = values;
if (folderOfClients === undefined)
  throw new Error('Name the folder of the clients with --clients.');

/** The agent that is the client, where it is evaluated without a person. */
const agentOf: Readonly<Record<string, string>> = {
  ...{ 'claude-code': 'claude', codex: 'codex', 'gemini-cli': 'gemini' },
  ...{ 'qwen-code': 'qwen', opencode: 'opencode' },
};
/** What lets this model, which answers at once and doesn't search, see the tools of a server. */
const settled: Readonly<Record<string, (home: string) => void>> = {
  codex: (home) => appendFileSync(join(home, '.codex/config.toml'), 'required = true\n'),
  'qwen-code': (home) => {
    const file = join(home, '.qwen/settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    const tools = { toolSearch: { enabled: false } };
    writeFileSync(file, JSON.stringify({ ...settings, tools }));
  },
};
const request = 'Add the task "Buy milk" for user u-1.';
const call = { tool: 'add_task', arguments: { user_id: 'u-1', title: 'Buy milk' } };

/** The actions of one client until the verdict, by number, and what came of them. */
function play(client: ClientCommand): string {
  const folder = mkdtempSync(join(tmpdir(), 'sessions-'));
  try {
    const home = join(folder, 'home');
    const work = join(home, 'work');
    mkdirSync(work, { recursive: true });
    const path = join(folderOfClients ?? '', 'node_modules', '.bin');
    const env = { HOME: home, TOUCHSTONE_KEYCHAIN: 'off' };
    const requests = join(folder, 'requests');
    for (const [file, content] of Object.entries(client.files({}, model))) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      writeFileSync(join(home, file), text);
    }
    const actions: string[] = [];
    const command = (...args: string[]): string => {
      const [program = '', ...given] = [...touchstone(folder), ...args];
      const { status, stdout, stderr } = spawnSync(program, given, {
        ...{ encoding: 'utf8', cwd: folder, env: { PATH: process.env['PATH'], ...env } },
      });
      if (status !== 0) throw new Error(`touchstone ${args.join(' ')}: ${stderr.trim()}`);
      return stdout;
    };
    const act = (action: string): number => actions.push(action);

    // A registered server is known before it is captured.
    command('servers', 'check', 'todo');
    act('write the gateway into its configuration');
    command('gateway', 'todo', '--config', client.id, '--add', '--yes');
    settled[client.id]?.(home);
    act('use the client');
    const [, ...args] = client.run;
    const used = runAlone(
      { requests, call, seconds, cwd: work, env: { ...env, ...client.env(model) } },
      [
        programOf(client, folderOfClients ?? ''),
        ...args.map((one) => (one === prompt ? request : one)),
      ],
    );
    const fromSession = actions.length;
    act('list the sessions');
    const { sessions } = JSON.parse(command('sessions', 'list', '--json')) as {
      sessions: { file: string; client: string; calls: number }[];
    };
    const session = sessions.find(({ calls }) => calls > 0);
    if (session === undefined)
      throw new Error(
        `${sessions.length} sessions without a call. ${(used.stdout + used.stderr).slice(-300)}`,
      );
    act('make cases of the session');
    const suite = join(folder, 'cases.yaml');
    command('suite', 'import', session.file, '--out', suite);
    act('write the requests');
    const proposed = readFileSync(suite, 'utf8');
    writeFileSync(
      suite,
      proposed.replaceAll(/FILL IN: .*right/g, JSON.stringify(request).slice(1, -1)),
    );
    const untilSuite = actions.length - fromSession;
    act('evaluate');
    const played = agents.find(({ agent }) => agent === agentOf[client.id]);
    if (played === undefined) throw new Error('No agent plays it.');
    const ended = runAlone({ requests, call, seconds, path, env: { ...env, ...played.env } }, [
      ...touchstone(folder),
      'eval',
      '--suite',
      suite,
      '--agent',
      agentOption(played, folder),
      '--json',
    ]);
    if (!ended.stdout.startsWith('{')) throw new Error(ended.stderr.trim());
    const { verdict } = JSON.parse(ended.stdout) as { verdict: { headline: string } };
    return [
      `${session.client}: ${session.calls} call captured`,
      `${untilSuite} actions from the session to a suite`,
      `${actions.length - fromSession} to a verdict`,
      `${actions.length} in all (${actions.join(', ')})`,
      verdict.headline,
    ].join('; ');
  } catch (error) {
    return `not played: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const client of clientCommands) {
  if (agentOf[client.id] === undefined || (values.only ?? client.id) !== client.id) continue;
  const isThere = existsSync(programOf(client, folderOfClients));
  console.log(`${client.id}: ${isThere ? play(client) : 'not installed'}`);
}
