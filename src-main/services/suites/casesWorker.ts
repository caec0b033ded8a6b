import { serveItems } from '../../adapters/process/itemLoop.ts';
import { headOf, packChanges, type CaseWorkerItem, type WorkerRead } from './caseText.ts';
import { joinAnswers, UnreadableRecords, type JoinedAnswers } from './exchange/answersFile.ts';
import { readCases } from './exchange/readCases.ts';
import { createCatalog } from './exchange/toolCatalog.ts';
import { readWorkbook, WorkbookProblem, type WorkbookTable } from './exchange/workbook.ts';
import { readLog } from './logs/readLog.ts';
import { packSuite } from './suiteParts.ts';

type Answer =
  WorkerRead | ReturnType<typeof readLog> | WorkbookTable | JoinedAnswers | { problem: string };

/** Whole numbers of a report are below 2^31, and a log may have more bytes. */
const kilobyte = 1024;

serveItems((given, { enterStage, handOver }): Answer => {
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
  if ('join' in item) {
    try {
      return joinAnswers(item.join, item.answers);
    } catch (error) {
      if (error instanceof UnreadableRecords) return { problem: error.message };
      throw error;
    }
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
  const head = headOf(read);
  const { approximated, ...report } = head.report;
  const packed = read.packed ?? packSuite(read.suite ?? { cases: [] });
  handOver(packed.parts);
  return { head: { ...head, report }, changes: packChanges(approximated), packed };
});
