import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { WorkerPool } from '../../adapters/process/workerPool.ts';
import type { Store } from '../../store/store.ts';
import type { CaseText, CaseWorkerItem } from './caseText.ts';
import type { ReadCases } from './exchange/caseExchange.ts';
import { readCases } from './exchange/readCases.ts';
import type { LogSource } from './logs/logRecords.ts';
import { readLog, type ReadLog } from './logs/readLog.ts';
import { knownCatalog, knownSchemas, schemasMentionedIn } from './knownSchemas.ts';
import { openProblem } from './openCases.ts';
import { sha256 } from '../../runtime/sha256.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { suiteFile, type SuiteFile } from '../../../src-shared/domain/suiteFile.ts';
import { readPlainJson } from '../files/sourceText.ts';
import { checkContent, type SchemaOf } from './suiteProblems.ts';

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
const workerEntry = new URL(
  import.meta.url.endsWith('.ts') ? './casesWorker.ts' : './casesWorker.js',
  import.meta.url,
);

export interface CaseReader {
  read(input: CaseText, signal: AbortSignal): Promise<ReadCases>;
  /** Reads a log, which may be a file of any size. Throws INVALID. */
  readLog(source: LogSource, fileName: string, signal: AbortSignal): Promise<ReadLog>;
  close(): Promise<void>;
}

/**
 * Reads texts of cases. A large or hostile text never blocks the program, because it is read in a
 * worker with a time and memory limit.
 */
export function createCaseReader(store: Store): CaseReader {
  const pools = new Map<
    number,
    WorkerPool<CaseWorkerItem, ReadCases | ReturnType<typeof readLog>>
  >();
  const inWorker = async (
    item: CaseWorkerItem,
    fileName: string,
    signal: AbortSignal,
  ): Promise<ReadCases | ReturnType<typeof readLog>> => {
    const limit = 'log' in item ? logLimitMs : cpuLimitMs;
    const pool =
      pools.get(limit) ??
      new WorkerPool<CaseWorkerItem, ReadCases | ReturnType<typeof readLog>>({
        entry: workerEntry,
        cpuLimitMs: limit,
        wallLimitMs: 5 * limit,
        stallLimitMs: 5 * limit,
        resourceLimits: { maxOldGenerationSizeMb: 2048 },
      });
    pools.set(limit, pool);
    const [outcome] = await pool.run([item], { signal });
    if (outcome?.outcome === 'done') return outcome.value;
    const cause =
      outcome?.outcome === 'failed'
        ? outcome.reason
        : outcome?.outcome === 'over_time'
          ? `It took longer than ${limit / 1000} s.`
          : 'It needs too much memory.';
    throw unreadable(fileName, cause, 'Split it into several files.');
  };
  return {
    async read(input, signal) {
      if (input.text.length <= maxInlineLength) {
        const schemaOf = knownSchemas(store);
        return readCases(input, schemaOf, knownCatalog(store, schemaOf));
      }
      const plain = isSuiteJson(input)
        ? await readJsonSuite(input, knownSchemas(store), signal)
        : null;
      if (plain !== null) return plain;
      const schemas = schemasMentionedIn(store, input.text);
      return (await inWorker({ input, schemas }, input.fileName, signal)) as ReadCases;
    },
    async readLog(source, fileName, signal) {
      const isSmall = 'text' in source && source.text.length <= maxInlineLength;
      const read = isSmall
        ? readLog(source, fileName)
        : ((await inWorker({ log: source, fileName }, fileName, signal)) as ReturnType<
            typeof readLog
          >);
      if ('why' in read) throw unreadable(fileName, read.why, 'Choose another file.');
      return read;
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

const unreadable = (fileName: string, cause: string, nextStep: string): ServiceError =>
  new ServiceError('INVALID', {
    thing: `The file ${fileName}`,
    cause: `${cause} Nothing was imported.`,
    nextStep,
    field: 'text',
  });

const suiteEntry = suiteFile.shape.cases.element;

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
  const head = suiteFile.safeParse({ ...value, cases: [] });
  if (!head.success) return null;
  const rawCases: readonly JsonValue[] = value['cases'];
  const cases: SuiteFile['cases'] = [];
  const ids = new Set<string>();
  for (let at = 0; at < rawCases.length; at += batchSize) {
    signal.throwIfAborted();
    const part = rawCases.slice(at, at + batchSize);
    for (const each of part) {
      const read = suiteEntry.safeParse(each);
      if (!read.success || ids.has(read.data.id)) return null;
      ids.add(read.data.id);
      cases.push(read.data);
    }
    if (checkContent({ cases: part }, schemaOf).length > 0) return null;
    await yieldIfDue();
  }
  // The full reader says what is open.
  if (openProblem({ cases }, text) !== null) return null;
  const suite = { ...head.data, ...(name !== undefined && { name }), cases };
  const report = {
    converter: 'touchstone/1',
    sourceHash: sha256(text),
    exact: cases.length,
    approximated: [],
    skipped: [],
    unreadFields: [],
    assumedServer: null,
  };
  return { suite, problems: [], report, origins: new Map(), columns: null };
}
