import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isJsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { orElse } from '../../src-shared/domain/orElse.ts';
import { answersClient, sessionLine } from '../../src-shared/domain/recordedSession.ts';
import { CommandScene } from './commandScene.ts';
import { testedProgram } from './testedProgram.ts';
import { officialSdks } from './testPrograms.ts';

/**
 * Who is killed at a random moment while a session is recorded: one side of a client's connection, a
 * command that changes the client's file, an agent under test, or the evaluation that it plays in.
 */
export const sessionVictims = [
  ...['client', 'gateway', 'server'],
  ...['configuration', 'agent', 'evaluation'],
] as const;

export interface KilledSessions {
  victim: string;
  kills: number;
  /** Answers that a client or an agent got: request and answer have to be in a session. */
  acknowledged: number;
  /** Those that are not; must be 0. */
  lost: number;
  /** Sessions that the next start doesn't list, or lists with more than one damaged line; must be 0. */
  unread: number;
  /** Runs that have no score after the evaluation was resumed; must be 0. */
  unscored: number;
  /** Live processes; must be 0. */
  processes: number;
  /** Whether Undo brought the file of the client back, byte for byte. */
  restored: boolean;
}

/**
 * A server that answers each text with its own number among the processes. It answers what it doesn't
 * know, too: a client that gets no answer to its first request waits for it.
 */
const server = `
const tell = (id, answer) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
const tools = [{ name: 'echo', description: 'Says a text again.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }];
const serverInfo = { name: 'echo', version: '1' };
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
  'tools/list': { tools },
  'tools/call': { content: [{ type: 'text', text: String(process.pid) }] },
};
let rest = '';
process.stdin.on('data', (data) => {
  const lines = (rest + data).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    const result = results[method];
    if (id !== undefined) tell(id, result ? { result } : { error: { code: -32601, message: 'no such method' } });
  }
});
`;

/** What a client and an agent share: calls with a text each, three at a time. */
const calling = () => `
import { Client, StdioClientTransport } from '${officialSdks()}';
import { appendFileSync, existsSync, readFileSync, rmSync, writeSync } from 'node:fs';
const [config, round, limit] = process.argv.slice(2);
const { command, args, env = {} } = JSON.parse(readFileSync(config, 'utf8').replace(/^\\/\\/.*$/gm, '')).mcpServers.echo;
const client = new Client({ name: 'stand-in', version: '1.0.0' });
client.onclose = () => process.exit(0);
const transport = new StdioClientTransport({ command, args, env: { ...process.env, ...env }, stderr: 'ignore' });
const connected = client.connect(transport);
let calls = 0;
const call = async (onAnswer) => {
  const text = round + '-' + process.pid + '-' + (calls += 1);
  const { content } = await client.callTool({ name: 'echo', arguments: { text: text + ' and more of it'.repeat(600) } });
  onAnswer(content[0].text, text);
};
const loop = async (onAnswer) => { while (calls < Number(limit)) await call(onAnswer); };
`;

/** Prints the number of the gateway, and each answer as soon as it has it. */
const client = () => `${calling()}
writeSync(1, 'gateway ' + transport.pid + '\\n');
try {
  await connected;
  const tell = (pid, text) => writeSync(1, text + ' ' + pid + '\\n');
  await Promise.all([loop(tell), loop(tell), loop(tell)]);
} catch {}
process.exit(0);
`;

/** Notes each answer in a file, and dies once where another file says so, with calls under way. */
const agent = () => `${calling()}
await connected;
const [notes, dies] = process.argv.slice(5);
const at = existsSync(dies) ? Number(readFileSync(dies, 'utf8')) : null;
let answers = 0;
const note = (_, text) => {
  appendFileSync(notes, text + '\\n');
  if ((answers += 1) !== at) return;
  rmSync(dies);
  process.kill(process.pid, 'SIGKILL');
};
await Promise.all([loop(note), loop(note), loop(note)]);
console.log('I said everything.');
await client.close();
`;

const callsOfClient = 100_000;
const callsOfAgent = 12;
/** A client or gateway is killed at the latest after so many answers. */
const maxAnswers = 60;
const runsOfEvaluation = 2;
const config = '// mine\n{ "theme": "dark", "mcpServers": { "other": { "command": "npx" } } }\n';

/** Whether a victim plays or runs an evaluation; the others record what a client does. */
const isEvaluated = (victim: string): victim is 'agent' | 'evaluation' =>
  victim === 'agent' || victim === 'evaluation';

interface Listed {
  evaluations: { number: number }[];
}

/** The stage: a captured server, a client with its file, and a suite that an agent plays. */
class Stage {
  readonly scene = new CommandScene();
  readonly #clientFile = this.scene.at('config/Claude/claude_desktop_config.json');
  readonly #draw: (below: number) => number;
  readonly #evaluate: string[];
  #round = 0;

  constructor(draw: (below: number) => number) {
    this.#draw = draw;
    const { scene } = this;
    writeFileSync(scene.at('server.cjs'), server);
    writeFileSync(scene.at('client.mjs'), client());
    writeFileSync(scene.at('agent.mjs'), agent());
    mkdirSync(scene.at('config/Claude'), { recursive: true });
    writeFileSync(this.#clientFile, config);
    const suite = {
      ...{ version: 1, name: 'echo', servers: ['echo'] },
      cases: Array.from({ length: runsOfEvaluation }, (_, index) => ({
        ...{ id: `task-${index}`, name: `Task ${index}`, turns: ['Say it all again.'] },
        checks: [{ calls: { must: ['echo'] } }],
      })),
    };
    scene.write('suite.json', suite);
    this.#evaluate = [
      ...['eval', '--suite', 'echo'],
      ...['--agent', scene.at('agent.yaml'), '--execute', 'full', '--yes', '--concurrency', '1'],
    ];
  }

  async prepare(victim: string): Promise<void> {
    const { scene } = this;
    const add = (words: string[], workspace: string) =>
      scene.succeed(
        ['servers', 'add', 'echo', '--stdio', words.map((word) => `"${word}"`).join(' ')],
        { workspace },
      );
    await add([process.execPath, scene.at('server.cjs')], 'workspace');
    await this.configure('--add', '--yes');
    if (!isEvaluated(victim)) return;
    // The server of an evaluation is the gateway, so that its agent is captured, too.
    const gateway = ['--workspace', scene.at('workspace'), 'gateway', 'echo', '--capture'];
    await add([process.execPath, testedProgram, ...gateway], 'evaluations');
    await scene.succeed(['suite', 'import', scene.at('suite.json')], { workspace: 'evaluations' });
  }

  async configure(...args: string[]): Promise<string> {
    return this.scene.succeed(['gateway', 'echo', '--config', 'claude', ...args]);
  }

  get clientText(): string {
    return readFileSync(this.#clientFile, 'utf8');
  }

  /** Plays one round with its kill. Returns the texts whose answers somebody got. */
  async play(victim: string): Promise<{ texts: string[]; unscored: number }> {
    this.#round += 1;
    if (victim === 'configuration') {
      await this.#killConfigure('--undo');
      await this.#killConfigure('--add', '--yes');
      await this.configure('--add', '--yes');
    }
    return isEvaluated(victim)
      ? this.#evaluateWith(victim)
      : { texts: await this.#useClient(victim), unscored: 0 };
  }

  /** Kills a change of the client's file, which leaves the file as it was before or after. */
  async #killConfigure(...args: string[]): Promise<void> {
    const killAfterMs = this.#draw(Math.ceil(this.scene.slowestMs));
    await this.scene.run(['gateway', 'echo', '--config', 'claude', ...args], { killAfterMs });
    const isBefore = this.clientText === config;
    const isAfter = this.clientText.includes('"--capture"');
    if (!isBefore && !isAfter) throw new Error(`The file of the client is: ${this.clientText}`);
  }

  /** Starts the client, which reads its own file, and kills the victim after a drawn answer. */
  async #useClient(victim: string): Promise<string[]> {
    const { scene } = this;
    const args = [this.#clientFile, `round-${this.#round}`, `${callsOfClient}`];
    const program = spawn(process.execPath, [scene.at('client.mjs'), ...args], {
      env: { ...process.env, ...scene.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(program, 'exit');
    const until = this.#draw(maxAnswers);
    const pids: Record<string, number> = { client: program.pid ?? 0 };
    const texts: string[] = [];
    let isKilled = false;
    for await (const line of createInterface({ input: program.stdout })) {
      const [text = '', pid] = line.split(' ');
      if (text === 'gateway') pids['gateway'] = Number(pid);
      else {
        texts.push(text);
        pids['server'] = Number(pid);
      }
      // A change of the file alone leaves a client that is ended after it.
      const found = pids[victim] ?? (victim === 'configuration' ? pids['client'] : undefined);
      if (isKilled || found === undefined || texts.length < until) continue;
      isKilled = true;
      process.kill(found, 'SIGKILL');
    }
    await ended;
    return texts;
  }

  /** Kills the agent in a run or the whole evaluation, which is resumed. */
  async #evaluateWith(
    victim: 'agent' | 'evaluation',
  ): Promise<{ texts: string[]; unscored: number }> {
    const { scene } = this;
    const [notes, dies] = [scene.at('notes'), scene.at('dies')];
    writeFileSync(notes, '');
    if (victim === 'agent') writeFileSync(dies, `${1 + this.#draw(callsOfAgent - 1)}`);
    const words = ['{{mcp_config}}', `round-${this.#round}`, `${callsOfAgent}`, notes, dies];
    scene.write('agent.yaml', {
      name: 'stand-in',
      command: [process.execPath, scene.at('agent.mjs'), ...words],
    });
    const workspace = 'evaluations';
    const silent = ['--quiet', '--json'];
    const killAfterMs = victim === 'agent' ? null : this.#draw(Math.ceil(this.#longestMs));
    const began = performance.now();
    await scene.run([...this.#evaluate, ...silent], { killAfterMs, workspace });
    this.#longestMs = Math.max(this.#longestMs, performance.now() - began);
    // One that was killed before it was stored has nothing to resume.
    const list = ['evaluations', 'list', '--limit', '1', ...silent];
    const isStored =
      victim === 'agent' ||
      (JSON.parse(await scene.succeed(list, { workspace })) as Listed).evaluations[0]?.number !==
        this.#lastNumber;
    const again = isStored ? ['eval', '--resume', 'latest'] : this.#evaluate;
    const { stdout, stderr } = await scene.run([...again, ...silent], { workspace });
    if (stdout === '') throw new Error(`The evaluation was not resumed: ${stderr}`);
    const { runs, number } = JSON.parse(stdout) as { runs: { outcome: string }[]; number: number };
    this.#lastNumber = number;
    const scored = runs.filter(({ outcome }) => outcome === 'succeeded').length;
    const texts = readFileSync(notes, 'utf8')
      .split('\n')
      .filter((text) => text !== '');
    return { texts, unscored: runsOfEvaluation - scored };
  }
  #lastNumber: number | undefined;
  #longestMs = 4_000;

  /** The texts whose request and answer are in a session, and what of the sessions can't be read. */
  async readSessions(): Promise<{ texts: Set<string>; unread: number }> {
    const folder = this.scene.at('workspace/sessions');
    const texts = new Set<string>();
    let begun = 0;
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const [head, ...lines] = readFileSync(join(folder, name), 'utf8').split('\n');
      // One that was killed before it wrote its first line is none.
      if (lines.length > 0 && head !== '') begun += 1;
      for (const text of answeredTexts(lines)) texts.add(text);
    }
    const listed = JSON.parse(await this.scene.succeed(['sessions', 'list', '--json'])) as {
      sessions: { damaged_lines: number }[];
    };
    const damaged = listed.sessions.filter((each) => each.damaged_lines > 1).length;
    return { texts, unread: begun - listed.sessions.length + damaged };
  }
}

/** The first words of texts that were sent and answered, in the lines of one session. */
function answeredTexts(lines: readonly string[]): string[] {
  const asked = new Map<JsonValue, string>();
  return lines.flatMap((line) => {
    const read = sessionLine.safeParse(orElse(() => JSON.parse(line) as unknown, null));
    if (!read.success || !('message' in read.data)) return [];
    const { from, message } = read.data;
    const { id = null, params = null } = message;
    const given = isJsonObject(params) ? (params['arguments'] ?? null) : null;
    const said = isJsonObject(given) ? given['text'] : undefined;
    if (from === 'client' && typeof said === 'string') asked.set(id, said);
    const text = answersClient(read.data) ? asked.get(id) : undefined;
    return text === undefined ? [] : [text.split(' ')[0] ?? ''];
  });
}

/**
 * Kills one victim after another at moments that are drawn, while sessions are recorded, and counts
 * what that loses or leaves.
 *
 * @param draw a random number below another
 */
export async function killSessions(
  victims: readonly string[],
  rounds: number,
  draw: (below: number) => number,
): Promise<KilledSessions[]> {
  const figures: KilledSessions[] = [];
  for (const victim of victims) {
    const stage = new Stage(draw);
    using scene = stage.scene;
    await stage.prepare(victim);
    const texts: string[] = [];
    let unscored = 0;
    for (let round = 0; round < rounds; round += 1) {
      const played = await stage.play(victim);
      texts.push(...played.texts);
      unscored += played.unscored;
    }
    const processes = await scene.processes();
    const { texts: kept, unread } = await stage.readSessions();
    await stage.configure('--undo');
    figures.push({
      ...{
        victim,
        kills: rounds * (victim === 'configuration' ? 3 : 1),
        acknowledged: texts.length,
      },
      ...{ lost: texts.filter((text) => !kept.has(text)).length, unread, unscored, processes },
      restored: stage.clientText === config && readdirSync(scene.at('config/Claude')).length === 1,
    });
  }
  return figures;
}
