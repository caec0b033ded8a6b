import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import fc from 'fast-check';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import type { ServerConfig } from '../../src-shared/domain/server.ts';
import { errorText } from '../../src-shared/domain/errorText.ts';
import { evaluationRequest } from '../../src-shared/domain/evaluation.ts';
import { reportFormats } from '../../src-shared/domain/report.ts';
import { encodings } from '../adapters/secrets/encodings.fixture.ts';
import { createSecrets } from '../adapters/secrets/secrets.ts';
import { createSecretVault } from '../adapters/secrets/secretVault.ts';
import { createServices, type OpenServices } from '../app/createServices.ts';
import { createLocalClient } from '../rpc/router.ts';
import { runCommand } from './commandLine.ts';
import { fakeStdioServer, startFakeHttpServer } from './fakeMcpServer/start.ts';
import { tool } from './fakeMcpServer/wire.ts';
import type { Reaction } from './fakeModelServer/react.ts';
import { startFakeModelServer } from './fakeModelServer/start.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { nodeTool } from './workshop.ts';

const secretText = fc
  .stringMatching(/^[a-z]{2}-[A-Za-z0-9]{30}$/)
  .filter((text) => new Set(text).size > 14);
export const [key = '', credential = '', toolSecret = ''] = fc.sample(secretText, {
  numRuns: 3,
  seed: 20_260_722,
});

/** Where an answer of a provider can hold a secret. */
const places: Record<string, (written: string) => Reaction> = {
  text: (written) => ({ does: 'answer', text: `You sent ${written}.` }),
  argument: (written) => call({ title: written }),
  'name of an argument': (written) => call({ title: 'milk', [written]: { deep: [written] } }),
  'two arguments': (written) => {
    const middle = Math.floor(written.length / 2);
    return call({ title: written.slice(0, middle), note: written.slice(middle) });
  },
  'name of a tool': (written) => ({
    does: 'answer',
    calls: [{ name: `s__${written}`, arguments: {} }],
  }),
  'text of an error': (written) => refuse(`Bad key ${written}`),
  'text that is cut within it': (written) =>
    refuse(`${'x '.repeat(140 - Math.floor(written.length / 4))}${written}`),
  'text that is no JSON': (written) => ({ does: 'http', status: 200, body: `<p>${written}</p>` }),
};
const call = (args: Record<string, unknown>): Reaction => ({
  does: 'answer',
  calls: [{ name: 's__add', arguments: JSON.stringify(args) }],
});
const refuse = (message: string): Reaction => ({
  does: 'error',
  status: 400,
  type: 'invalid_request_error',
  message,
});
const escapedKey = Array.from(
  key,
  (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
).join('');
/** What no encoding of a text can say. */
const special: Record<string, Reaction> = {
  'key escaped in the JSON of an answer': {
    does: 'http',
    status: 200,
    body: `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"${escapedKey}"}}]}`,
  },
  'redirect to a host that is called like the key': {
    does: 'http',
    status: 302,
    headers: { location: `https://${key}.example.test/v1` },
    body: '',
  },
};
/** A case of an evaluation and how the provider reacts to it. */
type Echo = readonly [query: string, reaction: Reaction];

/** The key in every encoding at every place. */
export const allEchoes: readonly Echo[] = Object.entries(places).flatMap(([place, react]) =>
  Object.entries(encodings).map(([name, encode]): Echo => [`${place} ${name}`, react(encode(key))]),
);

/** What left the program, by sink, and what the errors of its servers said. */
interface Passed {
  sinks: Map<string, string | Buffer>;
  refusals: string[];
}

/**
 * Runs the whole program with a provider that echoes its key and servers that echo their
 * credential, and returns everything that left it.
 */
export async function echoSecrets(echoes: readonly Echo[]): Promise<Passed> {
  await using folder = await temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  const reactions = new Map([...echoes, ...Object.entries(special)]);
  await using models = await startFakeModelServer({
    rule: ({ query }) => reactions.get(query) ?? { does: 'answer', text: 'nothing' },
  });
  const opened = await createServices({
    host: 'loopback',
    folder: at('workspace'),
    secrets: createSecrets({ environment: {}, memory: new Map([['openai-compatible', key]]) }),
    vault: createSecretVault({ environment: {} }),
    environment: { ...process.env, TOUCHSTONE_KEYCHAIN: 'off' },
  });
  const session = openSession(opened, at);
  await useServers(session);
  await useWorkshop(session);
  await evaluate(session, `${models.origin}/v1`, [...reactions.keys()]);
  const { sinks, answers, refusals } = session;
  for (const [name, bytes] of await filesIn(folder.path))
    if (name !== 'tools.json') sinks.set(`file ${name} while open`, bytes);
  await opened.close();
  for (const [name, bytes] of await filesIn(at('workspace'))) sinks.set(`file ${name}`, bytes);
  sinks.set('answers', JSON.stringify(answers));
  const env = {
    OPENAI_COMPATIBLE_API_KEY: key,
    TOUCHSTONE_SECRET_S_API_KEY: credential,
    TOUCHSTONE_KEYCHAIN: 'off',
  };
  const model = ['--provider', 'openai-compatible', '--base-url', `${models.origin}/v1`];
  const ended = await runCommand(
    ['eval', '--suite', 'suite', ...model, '--model', 'fake-model', '--retries', '0'],
    { workspace: at('workspace'), env },
  );
  sinks.set('command output', ended.stdout + ended.stderr);
  return { sinks, refusals };
}

type Session = ReturnType<typeof openSession>;

function openSession(opened: OpenServices, at: (name: string) => string) {
  const answers: unknown[] = [];
  const refusals: string[] = [];
  const log = { info: () => undefined, error: (text: string) => void answers.push(text) };
  const client = createLocalClient(opened.services, {
    log,
    redactValue: opened.services.secretGuard.redactValue,
  });
  /** Keeps what an answer or an error said. */
  const keep = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      const value = await answer;
      answers.push(value);
      return value;
    } catch (error) {
      answers.push([errorText(error), error instanceof Error && 'data' in error && error.data]);
      throw error;
    }
  };
  const keepRefusal = async (answer: Promise<unknown>): Promise<void> => {
    const refusal = await keep(answer).then(() => null, errorText);
    if (refusal === null) throw new Error('A server that refuses was answered.');
    refusals.push(refusal);
  };
  return {
    client,
    at,
    answers,
    refusals,
    keep,
    keepRefusal,
    sinks: new Map<string, string | Buffer>(),
  };
}

async function filesIn(path: string): Promise<[string, Buffer][]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }): Promise<[string, Buffer]> => [
        name,
        await readFile(join(parentPath, name)),
      ]),
  );
}

/** Asks servers that echo their credential in every encoding, in lists, results and errors. */
async function useServers({ client, at, keep, keepRefusal }: Session): Promise<void> {
  const written = Object.values(encodings).map((encode) => encode(credential));
  const tools = written.map((text, index) =>
    tool(`t${index}`, {
      description: `Uses ${text}.`,
      inputSchema: { type: 'object', properties: { [text]: { type: 'string', enum: [text] } } },
    }),
  );
  await writeFile(at('tools.json'), JSON.stringify({ tools: [tool('echo'), ...tools] }));
  const register = async (name: string, config: ServerConfig) =>
    (await keep(client.servers.create({ name, config }))).id;
  const callTool = (id: string, text: string, more: JsonObject = {}) =>
    client.servers.callTool({ id, tool: 'echo', arguments: { text, ...more } });
  const env = { API_KEY: credential };
  const headers = { Authorization: `Bearer ${credential}` };
  const id = await register('s', {
    ...fakeStdioServer('normal', { tools: at('tools.json') }),
    env,
  });
  await keep(client.servers.refreshTools({ id }));
  await keep(client.servers.get({ id }));
  const more = Object.fromEntries(written.map((text) => [text, [text]]));
  await keep(callTool(id, written.join(' '), more));

  const complaining = await register('complains', { ...fakeStdioServer('complaining'), env });
  await keepRefusal(callTool(complaining, written.join(' ')));
  await keep(client.servers.get({ id: complaining }));
  await using overHttp = await startFakeHttpServer('complaining');
  const refusing = await register('refuses', overHttp.config(headers));
  for (const text of written) {
    // A message is cut after 300 characters, which are within the credential here.
    const cut = `${'x '.repeat(150 - Math.floor(text.length / 4))}${text}`;
    for (const each of [text, cut]) await keepRefusal(callTool(refusing, each));
  }
  await using moved = await startFakeHttpServer('redirect', 'json', {
    location: `http://${credential}.example.test/mcp`,
  });
  const elsewhere = await register('moved', moved.config(headers));
  await keepRefusal(client.servers.refreshTools({ id: elsewhere }));
}

/**
 * Runs a workshop tool that writes its secret in every encoding to its result, its standard error,
 * and a result that is no JSON, by hand and for an MCP client.
 */
async function useWorkshop({ client, keep, sinks }: Session): Promise<void> {
  const encoders = Object.entries(encodings).map(([name, encode]) => [name, encode(toolSecret)]);
  // The script must not hold the secret: it is written as numbers, which differ by the secret's own.
  const shifts = JSON.stringify(
    encoders.map(([, text = '']) => Array.from(text, (each) => (each.codePointAt(0) ?? 0) + 7)),
  );
  const script = `
    if (process.env.SECRET.length !== ${toolSecret.length}) process.exit(3);
    const texts = ${shifts}.map((codes) => String.fromCodePoint(...codes.map((code) => code - 7)));
    console.error(texts.join(' '));
    const { as } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    if (as === 'broken') console.log(texts.join(' '));
    else console.log(JSON.stringify({ texts, named: Object.fromEntries(texts.map((text) => [text, 1])) }));
    if (as === 'failed') process.exit(1);
  `;
  const content = nodeTool(script, {
    name: 'echo_secret',
    inputSchema: { type: 'object', properties: { as: { type: 'string' } } },
    executorConfig: {
      command: process.execPath,
      args: ['-e', script],
      output: 'json',
      secrets: ['SECRET'],
    },
  });
  const { id } = await keep(client.workshop.create({ content }));
  await keep(client.workshop.setStatus({ id, status: 'ACTIVE' }));
  await keep(client.workshop.setSecret({ id, name: 'SECRET', value: toolSecret }));
  const { url, token } = await client.workshop.serve({});
  const caller = new Client({ name: 'caller', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token ?? ''}` } };
  await caller.connect(new StreamableHTTPClientTransport(new URL(url ?? ''), { requestInit }));
  const answers: unknown[] = [await caller.listTools()];
  for (const as of ['object', 'broken', 'failed']) {
    await keep(client.workshop.execute({ tool: id, arguments: { as } }));
    answers.push(await caller.callTool({ name: 'echo_secret', arguments: { as } }));
  }
  await caller.close();
  await keep(client.workshop.executions({}));
  await keep(client.workshop.secrets({}));
  await keep(client.workshop.export({ ids: [id] }));
  sinks.set('answers of the workshop to an MCP client', JSON.stringify(answers));
}

/** Evaluates a model that echoes its key. */
async function evaluate(
  { client, at, answers, sinks, keep }: Session,
  baseUrl: string,
  queries: readonly string[],
): Promise<void> {
  const cases = queries.map((query, index) => ({
    id: `c${index}`,
    name: `c${index}`,
    query,
    expected_calls: [{ server: 's', tool: 'echo' }],
  }));
  const text = JSON.stringify({ version: 1, name: 'suite', servers: ['s'], cases });
  const suite = await client.suites.import({ fileName: 'suite.json', text, replace: false });
  const { id } = await client.evaluations.start(
    evaluationRequest.parse({
      suiteId: suite.id,
      recordFile: at('recording.jsonl'),
      models: [
        {
          provider: 'openai-compatible',
          model: 'fake-model',
          baseUrl,
          maxRetries: 0,
        },
      ],
    }),
  );
  for await (const event of await client.evaluations.watch({ id, afterSeq: 0 }))
    answers.push(event);
  const page = { id, filter: {}, sort: 'position', descending: false } as const;
  const { rows } = await keep(client.evaluations.runs({ ...page, offset: 0, limit: 500 }));
  for (const { runId } of rows) await keep(client.evaluations.run({ ...page, runId }));
  await keep(client.evaluations.snapshot({ id }));
  for (const format of reportFormats) {
    let report = '';
    try {
      for await (const part of await client.reports.export({ id, format })) report += part.text;
    } catch (error) {
      report = String(error);
    }
    sinks.set(`report as ${format}`, report);
  }
  await keep(client.settings.info());
}
