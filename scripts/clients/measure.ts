import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import {
  type ClientCommand,
  clientCommands,
  folderOf,
  programOf,
  type StdioCommand,
} from './clients.ts';
import { model, runAlone } from './namespace.ts';
import { probeRuns } from './probeTools.ts';
import { secondRuns } from './secondProbe.ts';

/**
 * `npm run clients -- --clients FOLDER [--only ID] [--second]`: what real clients make of the probe
 * tools, or with `--second` of the second probe, by which the presentation is judged.
 *
 * FOLDER/ID holds each client as `npm install --ignore-scripts PACKAGE@VERSION` leaves it there; this
 * program prints the command for one that is missing. Each client runs once per run of probe servers,
 * in a network namespace that has loopback only, with an empty home folder and a cleared environment
 * (Linux, as root). What it asked its model is cut to our tools and written into
 * src-main/presentation/requests.json.br (secondRequests.json.br), which the tests compare with
 * `present`.
 */
const { values } = parseArgs({
  options: {
    clients: { type: 'string' },
    only: { type: 'string' },
    second: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '120' },
  },
});
const folder = values.clients;
if (folder === undefined) throw new Error('Name the folder of the clients with --clients.');
const askedRuns = values.second ? secondRuns : probeRuns;
const own = import.meta.dirname;

/** A tool in a request of a client: its group, name, description and schema. */
export type Asked = [
  namespace: string | null,
  name: string,
  description: string | null,
  schema: unknown,
];
/** The tools of each run, and the texts among which a client shows instructions. */
export type Requests = Record<string, { version: string; runs: Record<string, Asked[]> }>;

interface WireTool {
  type?: string;
  name?: string;
  description?: string;
  input_schema?: unknown;
  parameters?: unknown;
  parametersJsonSchema?: unknown;
  function?: WireTool;
  tools?: WireTool[];
  functionDeclarations?: WireTool[];
}

function askedIn(tools: readonly WireTool[], namespace: string | null = null): Asked[] {
  return tools.flatMap((one): Asked[] => {
    if (one.functionDeclarations !== undefined) return askedIn(one.functionDeclarations);
    if (one.type === 'namespace') return askedIn(one.tools ?? [], one.name ?? null);
    const { name, description, ...rest } = one.function ?? one;
    if (name === undefined) return [];
    const schema = rest.input_schema ?? rest.parametersJsonSchema ?? rest.parameters ?? null;
    return [[namespace, name, description ?? null, schema]];
  });
}

interface Body {
  tools?: WireTool[];
  input?: string | Item[];
}
interface Item {
  type?: string;
  tools?: WireTool[];
  output?: string | { text?: string }[];
}

/** The order of UTF-16 units, in which a client that doesn't search lists its tools. */
const byName = ([a, one]: Asked, [b, other]: Asked): number =>
  `${a ?? ''}\0${one}` < `${b ?? ''}\0${other}` ? -1 : 1;

/**
 * The tools that a result of `finds` brought: those of a search, which ranks them by its query, in the
 * order of their names, and those that code printed as JSON.
 */
function foundIn({ type, tools, output }: Item): Asked[] {
  if (type === 'additional_tools') return askedIn(tools ?? []);
  if (type === 'tool_search_output') return askedIn(tools ?? []).toSorted(byName);
  if (type !== 'custom_tool_call_output' || !Array.isArray(output)) return [];
  const printed = output.at(-1)?.text ?? '';
  return printed.startsWith('[') ? askedIn(JSON.parse(printed) as WireTool[]) : [];
}

/** The tools of a client's own in a run without servers, which are left out of every other run. */
function measure(client: ClientCommand, run: string): Asked[] {
  const home = mkdtempSync(join(tmpdir(), 'client-'));
  try {
    const work = join(home, 'work');
    mkdirSync(work);
    execFileSync('git', ['init', '-q', work]);
    const commands: Record<string, StdioCommand> = {};
    for (const [at, [name, tools]] of Object.entries(askedRuns[run] ?? {}).entries()) {
      const list = join(home, `tools${at}.json`);
      writeFileSync(list, JSON.stringify(tools));
      commands[name] = { command: process.execPath, args: [join(own, 'probeServer.ts'), list] };
    }
    for (const [file, content] of Object.entries(client.files(commands, model))) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(
        join(home, file),
        typeof content === 'string' ? content : JSON.stringify(content),
      );
    }
    const requests = join(home, 'requests.jsonl');
    const [, ...args] = client.run;
    const output = join(home, 'output.txt');
    runAlone(
      {
        ...{ requests, output, cwd: work, seconds: values.seconds },
        env: { HOME: home, ...client.env(model) },
        ...(client.finds !== undefined && { call: client.finds }),
      },
      [programOf(client, folderOf(client, folder ?? '')), ...args, ...(client.servers ?? [])],
    );
    // A client may name the folder that it runs in, which is another one each time.
    const lists = readFileSync(requests, 'utf8')
      .replaceAll(home, '/home')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { tools = [], input } = (JSON.parse(line) as { body: Body }).body;
        return [...askedIn(tools), ...(Array.isArray(input) ? input.flatMap(foundIn) : [])];
      });
    const longest = lists.toSorted((a, b) => b.length - a.length)[0];
    if (longest === undefined || longest.length === 0)
      throw new Error(
        `${client.id} asked no model in the run ${run}:\n${readFileSync(output, 'utf8').slice(-500)}`,
      );
    return longest;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** `measure`, again until two requests in a row are the same: a busy machine can leave servers out. */
function measureTwice(client: ClientCommand, run: string): Asked[] {
  let before = '';
  for (let tries = 0; tries < 8; tries += 1) {
    const asked = measure(client, run);
    const isWhole = asked.every(([, name]) => name !== client.waiting);
    if (isWhole && JSON.stringify(asked) === before) return asked;
    before = isWhole ? JSON.stringify(asked) : '';
  }
  throw new Error(
    `${client.id} asked differently each time in the run ${run}. Try on an idle machine.`,
  );
}

const file = join(
  own,
  `../../src-main/presentation/${values.second ? 'secondRequests' : 'requests'}.json.br`,
);
const runs: unknown = JSON.parse(JSON.stringify(askedRuns));
const stored = existsSync(file)
  ? (JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as {
      runs: unknown;
      requests: Requests;
    })
  : null;
// Requests of other probe tools can't be compared: all clients are measured anew with these.
const requests: Requests =
  stored !== null && isDeepStrictEqual(stored.runs, runs) ? stored.requests : {};
for (const client of clientCommands) {
  if (values.only !== undefined && values.only !== client.id) continue;
  const at = folderOf(client, folder);
  const installed = join(at, 'node_modules', client.package, 'package.json');
  if (!existsSync(installed)) {
    console.log(`${client.id}: npm install --ignore-scripts --prefix ${at} ${client.package}`);
    continue;
  }
  const { version } = JSON.parse(readFileSync(installed, 'utf8')) as { version: string };
  const [step, ...args] = client.install ?? [];
  if (step !== undefined) execFileSync(step, args, { cwd: dirname(installed), stdio: 'ignore' });
  const theirs = new Set(
    measureTwice(client, 'none').map(([namespace, name]) => `${namespace ?? ''}\0${name}`),
  );
  for (const name of client.besideServers ?? []) theirs.add(`\0${name}`);
  const seen = Object.fromEntries(
    Object.keys(askedRuns).map((run): [string, Asked[]] => {
      const asked = measureTwice(client, run).filter(
        ([namespace, name]) => !theirs.has(`${namespace ?? ''}\0${name}`),
      );
      console.log(`${client.id} ${version} ${run}: ${asked.length} tools`);
      return [run, asked];
    }),
  );
  requests[client.id] = { version, runs: seen };
  writeFileSync(file, brotliCompressSync(JSON.stringify({ runs, requests })));
}
