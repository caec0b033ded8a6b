import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Input } from '../contractTypes.ts';
import type { ImportProgress } from '../../../src-shared/contract/suites.ts';
import { WorkerPool } from '../../adapters/process/workerPool.ts';
import type { Store } from '../../store/store.ts';
import {
  headOf,
  unpackChanges,
  type CaseText,
  type CaseWorkerItem,
  type Entries,
  type ReadHead,
  type WorkerRead,
} from './caseText.ts';
import type { JoinedAnswers } from './exchange/answersFile.ts';
import type { ReadCases } from './exchange/caseExchange.ts';
import { entriesAtOnce, originsOf, unpackPart, type PackedEntries } from './exchange/entryList.ts';
import type { WorkbookTable } from './exchange/workbook.ts';
import type { LogSource } from './logs/logRecords.ts';
import type { ReadLog } from './logs/readLog.ts';
import { ownCases, readOwnCases } from './exchange/readOwnCases.ts';
import type { ToolCatalog } from './exchange/toolCatalog.ts';
import { knownSchemas, listedTools, schemasMentionedIn } from './knownSchemas.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { SuiteFile } from '../../../src-shared/domain/suiteFile.ts';
import { readPlainJson } from '../files/sourceText.ts';
import { EntryChecker, headOfSuite } from './suiteParts.ts';
import type { SchemaOf } from './suiteProblems.ts';
import { besideModule } from '../../runtime/besideModule.ts';

/** A text up to this length is read on the main thread; a longer one in a worker. */
const maxInlineLength = 48 * 1024;
/**
 * JSON is read a hundred times faster than YAML, so up to this length sending it to a worker would
 * take longer than reading it.
 */
const maxInlineJsonLength = 3 * 1024 * 1024;
const isSuiteJson = ({ text, format = 'touchstone' }: CaseText): boolean =>
  format === 'touchstone' && text.length <= maxInlineJsonLength && /^\s*\{/.test(text);

const cpuLimitMs = 60_000;
/** A gigabyte of a log takes about a minute. */
const logLimitMs = 600_000;
const workerEntry = besideModule(import.meta.url, 'casesWorker');

/** A text that was read: what it says of all entries, and the entries some at a time. */
export interface ReadText extends ReadHead {
  parts: (signal: AbortSignal) => AsyncIterable<Entries>;
  /** It isn’t read again. Without this, what was read is kept for a while, for the next read. */
  release: () => void;
}

export async function readInPlace(
  text: CaseText,
  schemaOf: SchemaOf,
  openCatalog?: () => Promise<ToolCatalog>,
): Promise<ReadText> {
  const { format = 'touchstone' } = text;
  if (format === 'touchstone') return textOf(readOwnCases(text, schemaOf));
  // Loaded for the first text of another program, not for every command.
  const { readCases } = await import('./exchange/readCases.ts');
  return textOf(readCases(text, schemaOf, await openCatalog?.()));
}

function textOf(read: ReadCases): ReadText {
  return {
    ...headOf(read),
    async *parts() {
      const count = read.suite?.cases.length ?? 0;
      for (let from = 0; from < count; from += entriesAtOnce)
        yield {
          entries: read.suite?.cases.slice(from, from + entriesAtOnce) ?? [],
          origins: read.origins,
        };
    },
    release: () => undefined,
  };
}

/** What a worker read last, because an import reads what its preview read. */
interface Kept {
  input: CaseText;
  head: ReadHead;
  packed: PackedEntries;
}

/**
 * The thread that read a longer text is ended: while it is idle, it gives nothing back of what the
 * text took.
 */
const maxKeptLength = 4 * 1024 * 1024;

/** A person looks at a preview for so long; then its file is read again. */
const maxKeptMs = 60_000;

/**
 * Reads texts of cases. A large or hostile text never blocks the program, because it is read in a
 * worker with a time and memory limit.
 */
export function createCaseReader(store: Store) {
  const pools = new Map<number, WorkerPool<CaseWorkerItem, unknown>>();
  /** Questions to threads that have no answer yet. */
  let asking = 0;
  let last: Kept | null = null;
  let reading: { unit: ImportProgress['unit']; pool: WorkerPool<CaseWorkerItem, unknown> } | null =
    null;
  let timer: NodeJS.Timeout | undefined;

  const ask = async <Answer>(
    fileName: string,
    item: CaseWorkerItem,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const limit = 'log' in item ? logLimitMs : cpuLimitMs;
    const pool =
      pools.get(limit) ??
      new WorkerPool<CaseWorkerItem, unknown>({
        entry: workerEntry,
        cpuLimitMs: limit,
        wallLimitMs: 5 * limit,
        stallLimitMs: 5 * limit,
        // Fewer young values wait for their end: 100 MB less for a file of 60 MB.
        resourceLimits: { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 24 },
      });
    pools.set(limit, pool);
    asking += 1;
    if ('log' in item) reading = { unit: 'bytes', pool };
    else if ('input' in item) reading = { unit: 'records', pool };
    const [outcome] = await pool.run([item], { signal }).finally(() => {
      asking -= 1;
      if ('log' in item || 'input' in item) reading = null;
    });
    if (outcome?.outcome === 'done') return outcome.value as Answer;
    const cause =
      outcome?.outcome === 'failed'
        ? outcome.reason
        : outcome?.outcome === 'over_time'
          ? `It took longer than ${limit / 1000} s.`
          : 'It needs too much memory.';
    throw unreadable(fileName, cause, 'Split it into several files.');
  };
  const endThread = async (): Promise<void> => {
    const pool = pools.get(cpuLimitMs);
    if (pool === undefined || asking > 0) return;
    pools.delete(cpuLimitMs);
    await pool.close();
  };
  const readInWorker = async (input: CaseText, signal: AbortSignal): Promise<Kept> => {
    if (last !== null && isSameText(last.input, input)) return last;
    last = null;
    const schemas = await schemasMentionedIn(store, input.text);
    const item = { input, schemas, listed: listedTools(store) };
    const answer = await ask<WorkerRead>(input.fileName, item, signal);
    if (input.text.length > maxKeptLength) await endThread();
    const report = { ...answer.head.report, approximated: unpackChanges(answer.changes) };
    return (last = { input, head: { ...answer.head, report }, packed: answer.packed });
  };
  const forget = (kept: Kept): void => {
    if (kept === last) last = null;
  };

  return {
    async read(input: CaseText, signal: AbortSignal): Promise<ReadText> {
      if (input.text.length <= maxInlineLength) {
        const schemaOf = knownSchemas(store);
        return readInPlace(input, schemaOf, async () => {
          const { knownCatalog } = await import('./knownCatalog.ts');
          return knownCatalog(store, schemaOf);
        });
      }
      const plain = isSuiteJson(input)
        ? await readJsonSuite(input, knownSchemas(store), signal)
        : null;
      if (plain !== null) return textOf(plain);
      const kept = await readInWorker(input, signal);
      clearTimeout(timer);
      timer = setTimeout(() => forget(kept), maxKeptMs).unref();
      const { head, packed } = kept;
      return {
        ...head,
        async *parts(own) {
          const yieldIfDue = createYielder();
          for (const part of packed.parts) {
            own.throwIfAborted();
            const opened = unpackPart(part, packed, head.report);
            yield { entries: opened.map(({ entry }) => entry), origins: originsOf(opened) };
            await yieldIfDue();
          }
        },
        release: () => forget(kept),
      };
    },
    /** Reads a log, which may be a file of any size. Throws INVALID. */
    async readLog(source: LogSource, fileName: string, signal: AbortSignal): Promise<ReadLog> {
      const isSmall = 'text' in source && source.text.length <= maxInlineLength;
      const read = isSmall
        ? (await import('./logs/readLog.ts')).readLog(source, fileName)
        : await ask<ReadLog | { why: string }>(fileName, { log: source, fileName }, signal);
      if ('why' in read) throw unreadable(fileName, read.why, 'Choose another file.');
      return read;
    },
    /** The table of a workbook. Throws INVALID for one that can't be read. */
    async readWorkbook(
      { fileName, bytes, sheet }: { fileName: string; bytes: Uint8Array; sheet: string | null },
      signal: AbortSignal,
    ): Promise<WorkbookTable> {
      const item = { workbook: bytes, sheet };
      const read = await ask<WorkbookTable | { problem: string }>(fileName, item, signal);
      if ('problem' in read)
        throw unreadable(fileName, read.problem, 'Save its sheet as CSV in UTF-8.');
      return read;
    },
    /** Two files as one. Throws INVALID for one that can't be read. */
    async joinAnswers(
      { answers, ...join }: Input<'suites', 'joinAnswers'>,
      signal: AbortSignal,
    ): Promise<JoinedAnswers> {
      const item = { join, answers };
      const read = await ask<JoinedAnswers | { problem: string }>(join.fileName, item, signal);
      if ('problem' in read)
        throw unreadable(
          answers.fileName,
          read.problem,
          'Choose a file with the IDs of the requests, and what is right for each.',
        );
      return read;
    },
    /** How far the file is that is read now; null if none is, or none that takes long. */
    progress(): ImportProgress | null {
      const { stage: total, detail: done } = reading?.pool.reported ?? { stage: 0, detail: 0 };
      // How long a file is, is known before anything of it is read.
      if (reading === null || done === 0 || (reading.unit === 'bytes' && total === 0)) return null;
      const { unit } = reading;
      const factor = unit === 'bytes' ? 1024 : 1;
      return { done: done * factor, total: total === 0 ? null : total * factor, unit };
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}
export type CaseReader = ReturnType<typeof createCaseReader>;

const unreadable = (fileName: string, cause: string, nextStep: string): ServiceError =>
  new ServiceError('INVALID', {
    thing: `The file ${fileName}`,
    cause: `${cause} Nothing was imported.`,
    nextStep,
    field: 'text',
  });

function isSameText(one: CaseText, other: CaseText): boolean {
  const { text, ...options } = one;
  const { text: otherText, ...others } = other;
  return text === otherText && isDeepStrictEqual(options, others);
}

/** Cases that are checked before yielding. */
const batchSize = 200;

/**
 * Reads a suite in our own JSON format and yields regularly. Returns null if anything is wrong:
 * only the full reader can say what, and where.
 */
async function readJsonSuite(
  { text, name }: CaseText,
  schemaOf: SchemaOf,
  signal: AbortSignal,
): Promise<ReadCases | null> {
  const yieldIfDue = createYielder();
  const value = readPlainJson(text);
  await yieldIfDue();
  if (!isJsonObject(value) || !Array.isArray(value['cases'])) return null;
  const head = headOfSuite(value);
  if (head === null) return null;
  const checker = new EntryChecker(schemaOf);
  const values: readonly JsonValue[] = value['cases'];
  const cases: SuiteFile['cases'] = [];
  for (let at = 0; at < values.length; at += batchSize) {
    signal.throwIfAborted();
    const entries = checker.read(values.slice(at, at + batchSize));
    if (entries === null) return null;
    for (const entry of entries) cases.push(entry);
    await yieldIfDue();
  }
  return ownCases({ ...head, cases }, cases.length, { text, name });
}
