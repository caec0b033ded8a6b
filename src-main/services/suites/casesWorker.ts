import { serveItems } from '../../adapters/process/itemLoop.ts';
import {
  entriesFrom,
  headOf,
  type CaseWorkerItem,
  type Entries,
  packChanges,
  type WorkerHead,
} from './caseText.ts';
import { readCases } from './exchange/readCases.ts';
import { createCatalog } from './exchange/toolCatalog.ts';
import { readWorkbook, WorkbookProblem, type WorkbookTable } from './exchange/workbook.ts';
import { readLog } from './logs/readLog.ts';
import type { ReadCases } from './exchange/caseExchange.ts';

/** What was read stays here: a copy of all of a large file would take as much memory again. */
const kept = new Map<number, ReadCases>();

type Answer =
  WorkerHead | Entries | ReturnType<typeof readLog> | WorkbookTable | { problem: string } | null;

/** Whole numbers of a report are below 2^31, and a log may have more bytes. */
const kilobyte = 1024;

serveItems((given, { enterStage }): Answer => {
  const item = given as CaseWorkerItem;
  if ('log' in item)
    return readLog(item.log, item.fileName, (done, total) =>
      enterStage(Math.ceil(total / kilobyte), Math.floor(done / kilobyte)),
    );
  if ('workbook' in item) {
    try {
      return readWorkbook(item.workbook, item.sheet);
    } catch (error) {
      if (error instanceof WorkbookProblem) return { problem: error.message };
      throw error;
    }
  }
  if ('drop' in item) {
    kept.delete(item.drop);
    return null;
  }
  if ('take' in item) {
    const read = kept.get(item.take);
    if (read === undefined) throw new Error('What was read is gone.');
    return entriesFrom(read, item.from);
  }
  const { input, schemas, listed } = item;
  const read = readCases(
    input,
    ({ server, tool }) => schemas.get(server)?.get(tool) ?? null,
    createCatalog(
      (tool) => [...schemas].flatMap(([server, tools]) => (tools.has(tool) ? [server] : [])),
      (server) => listed.get(server) ?? [],
    ),
    { keepsPacked: true, onRecord: (done, total) => enterStage(total, done) },
  );
  if (read.suite !== null) kept.set(item.read, read);
  const head = headOf(read);
  const { approximated, ...report } = head.report;
  return { head: { ...head, report }, changes: packChanges(approximated) };
});
