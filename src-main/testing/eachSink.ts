import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonValue } from '../../src-shared/domain/json.ts';
import type { ToolExecution } from '../../src-shared/domain/toolExecution.ts';
import { ServiceError } from '../../src-shared/contract/errors.ts';
import { openRecordingFile } from '../adapters/llm/replay/recordingFile.ts';
import { createSecretGuard } from '../adapters/secrets/secretGuard.ts';
import { guardedIo } from '../hosts/cli/commandIo.ts';
import { createLocalClient } from '../rpc/router.ts';
import { createFileLog } from '../runtime/fileLog.ts';
import { createWorkshopServer } from '../servers/workshop/workshopServer.ts';
import { openStore } from '../store/store.ts';
import { memoryIo } from './commandLine.ts';
import { recordServices } from './contractSuiteServices.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { createTestDatabase } from './testDatabase.ts';

/** What a sink passes on of texts, as whoever reads it gets them. */
export type Sink = (texts: readonly string[], secret: string) => Promise<string | Buffer>;

/** A secret, and texts that hold it whole, cut at both ends, or split in two. */
export interface Writing {
  secret: string;
  texts: string[];
}

const secretText = fc
  .stringMatching(/^[a-z]{2}-[A-Za-z0-9]{20,50}$/)
  .filter((text) => new Set(text).size > 14);

/** Secrets that are written in one of these encodings. */
export function writingIn(encodings: readonly ((text: string) => string)[]): fc.Arbitrary<Writing> {
  return fc
    .tuple(
      secretText,
      fc.constantFrom(...encodings),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.nat(60),
      fc.nat(60),
    )
    .map(([secret, encode, around, from, to]) => {
      const written = encode(secret);
      return {
        secret,
        texts: [
          `${around} ${written} ${around}`,
          written.slice(Math.min(from, to), Math.max(from, to)),
          `https://${secret.toLowerCase()}.example.test/`,
          written.slice(0, from),
          written.slice(from),
        ],
      };
    });
}

function guardOf(secret: string) {
  const guard = createSecretGuard();
  guard.guard(secret);
  return guard;
}

const store: Sink = async (texts, secret) => {
  const database = createTestDatabase();
  const { redact } = guardOf(secret);
  const { settings } = openStore(database.db, {
    clock: database.clock,
    nextId: () => 'id',
    redact,
  });
  const named = Object.fromEntries(texts.map((each) => [each, 1]));
  settings.remember('saveFolder', JSON.stringify({ texts, named }));
  database.db.prepare("INSERT INTO settings (key, value) VALUES (?, '1')").run(texts.join(' '));
  const bytes = database.db.serialize();
  database.close();
  return bytes;
};
const log: Sink = async (texts, secret) => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'touchstone.log');
  const { redact } = guardOf(secret);
  const written = createFileLog({ file, redact, clock: { now: () => 'now', monotonic: () => 0 } });
  for (const text of texts) written.error(text);
  return await readFile(file);
};
const recording: Sink = async (texts, secret) => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'recording.jsonl');
  const opened = await openRecordingFile(file, () => undefined, guardOf(secret).redactValue);
  await opened.append({
    key: 'k',
    model: 'm',
    wireApi: 'openai-chat',
    sent: {},
    request: { texts: [...texts] },
    response: Object.fromEntries(texts.map((each) => [each, each])),
    observation: {
      calls: [],
      text: texts.join(''),
      reasoning: null,
      stopReason: 'answered',
      usage: null,
      confidence: null,
    },
    elapsedMs: 1,
  });
  await opened.close();
  return await readFile(file);
};
const command: Sink = async (texts, secret) => {
  const io = { ...memoryIo(), secretGuard: guardOf(secret) };
  const { stdout, stderr } = guardedIo(io);
  for (const text of texts) {
    stdout.write(`${text}\n`);
    stderr.write(JSON.stringify({ text }));
  }
  return io.stdout.text + io.stderr.text;
};
const report: Sink = async (texts, secret) => {
  let written = '';
  for await (const part of guardOf(secret).redactTexts(texts)) written += part;
  return written;
};
const answer: Sink = async (texts, secret) => {
  const { services } = recordServices({
    reports: {
      async *export() {
        for (const text of texts) yield { text };
      },
    },
    saving: {
      showInFolder: () => {
        throw new ServiceError('TROUBLE', {
          thing: texts[0] ?? '',
          cause: texts.join(' '),
          nextStep: texts[1] ?? '',
        });
      },
    },
    suites: { list: () => Promise.reject(new Error(texts.join(' '))) },
  });
  const said: unknown[] = [];
  const say = (item: unknown) => void said.push(item);
  const client = createLocalClient(services, {
    log: { info: say, error: (text) => say(guardOf(secret).redact(text)) },
    redactValue: guardOf(secret).redactValue,
  });
  for await (const item of await client.reports.export({ id: 'e', format: 'md' })) say(item);
  const keepError = (error: unknown): void =>
    say(error instanceof Error && 'data' in error ? [error.message, error.data] : error);
  await client.saving.showInFolder({ token: 't' }).catch(keepError);
  await client.suites.list().catch(keepError);
  return JSON.stringify(said);
};

/** What an MCP client of the workshop is answered: its tools, results, and refusals. */
const mcp: Sink = async (texts, secret) => {
  let calls = 0;
  const execution = (outputData: JsonValue): ToolExecution => ({
    ...emptyExecution,
    outputData,
    stderrTail: texts.join(' '),
  });
  const server = createWorkshopServer(
    {
      redactValue: guardOf(secret).redactValue,
      tools: async () => [
        { name: 'echo', description: texts.join(' '), inputSchema: { type: 'object' } },
      ],
      async call() {
        calls += 1;
        if (calls === 1) return execution(Object.fromEntries(texts.map((each) => [each, each])));
        if (calls === 2)
          return { ...execution(null), status: 'FAILED', errorMessage: texts.join(' ') };
        throw new ServiceError('INVALID', {
          thing: texts[0] ?? '',
          cause: texts.join(' '),
          nextStep: texts[1] ?? '',
        });
      },
      async *revisions() {},
    },
    () => undefined,
  );
  const client = new Client({ name: 'reader', version: '1' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  const said: unknown[] = [await client.listTools()];
  for (let call = 0; call < 3; call += 1) said.push(await client.callTool({ name: 'echo' }));
  await client.close();
  return JSON.stringify(said);
};

const emptyExecution: ToolExecution = {
  id: 'execution',
  toolId: 'tool',
  toolName: 'echo',
  version: 1,
  status: 'SUCCESS',
  inputData: {},
  outputData: null,
  errorCode: null,
  errorMessage: null,
  stderrTail: '',
  outputExcerpt: null,
  startedAt: null,
  completedAt: null,
  durationMs: null,
  callerId: null,
  traceId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

/** Every way by which text leaves the program. */
export const sinks: Readonly<Record<string, Sink>> = {
  store,
  log,
  recording,
  command,
  report,
  answer,
  mcp,
};
