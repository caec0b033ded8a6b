import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { WorkerPool } from '../../adapters/process/workerPool.ts';
import type { Store } from '../../store/store.ts';
import type { CaseText, CaseWorkerItem } from './caseText.ts';
import type { ReadCases } from './exchange/caseExchange.ts';
import type { WorkbookTable } from './exchange/workbook.ts';
import { readCases } from './exchange/readCases.ts';
import { knownCatalog, knownSchemas, schemasMentionedIn } from './knownSchemas.ts';
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
const workerEntry = new URL(
  import.meta.url.endsWith('.ts') ? './casesWorker.ts' : './casesWorker.js',
  import.meta.url,
);

export interface CaseReader {
  read(input: CaseText, signal: AbortSignal): Promise<ReadCases>;
  /** The table of a workbook. Throws INVALID for one that can't be read. */
  readWorkbook(
    file: { fileName: string; bytes: Uint8Array; sheet: string | null },
    signal: AbortSignal,
  ): Promise<WorkbookTable>;
  close(): Promise<void>;
}

/**
 * Reads texts of cases. A large or hostile text never blocks the program, because it is read in a
 * worker with a time and memory limit.
 */
export function createCaseReader(store: Store): CaseReader {
  let pool: WorkerPool<CaseWorkerItem, unknown> | null = null;
  /** What the worker makes of one item. */
  async function inWorker<Result>(
    fileName: string,
    item: CaseWorkerItem,
    signal: AbortSignal,
  ): Promise<Result> {
    pool ??= new WorkerPool<CaseWorkerItem, unknown>({
      entry: workerEntry,
      cpuLimitMs,
      wallLimitMs: 5 * cpuLimitMs,
      stallLimitMs: 5 * cpuLimitMs,
      resourceLimits: { maxOldGenerationSizeMb: 2048 },
    });
    const [outcome] = await pool.run([item], { signal });
    if (outcome?.outcome === 'done') return outcome.value as Result;
    throw refused(
      fileName,
      outcome?.outcome === 'over_time'
        ? `It took longer than ${cpuLimitMs / 1000} s.`
        : 'It needs too much memory.',
      'Split it into several files.',
    );
  }
  return {
    async readWorkbook({ fileName, bytes, sheet }, signal) {
      const read = await inWorker<WorkbookTable | { problem: string }>(
        fileName,
        { workbook: bytes, sheet },
        signal,
      );
      if ('problem' in read)
        throw refused(fileName, read.problem, 'Save its sheet as CSV in UTF-8.');
      return read;
    },
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
      return inWorker<ReadCases>(input.fileName, { input, schemas }, signal);
    },
    async close() {
      await pool?.close();
    },
  };
}

const refused = (fileName: string, cause: string, nextStep: string): ServiceError =>
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
