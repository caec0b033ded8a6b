import { sha256 } from '../../runtime/sha256.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { suiteFile, type SuiteFile } from '../../../src-shared/domain/suiteFile.ts';
import type { CaseText } from './caseText.ts';
import type { ReadCases } from './exchange/caseExchange.ts';
import { readPlainJson } from '../files/sourceText.ts';
import { checkContent, type SchemaOf } from './suiteProblems.ts';

const suiteEntry = suiteFile.shape.cases.element;

/** Cases that are checked before yielding. */
const batchSize = 200;

/**
 * Reads a suite in our own JSON format and yields regularly. Returns null if anything is wrong:
 * only the full reader can say what, and where.
 */
export async function readJsonSuite(
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
