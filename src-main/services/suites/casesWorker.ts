import { serveItems } from '../../adapters/process/itemLoop.ts';
import type { CaseWorkerItem } from './caseText.ts';
import { readCases } from './exchange/readCases.ts';
import { createCatalog } from './exchange/toolCatalog.ts';
import { readWorkbook, WorkbookProblem, type WorkbookTable } from './exchange/workbook.ts';
import type { ReadCases } from './exchange/caseExchange.ts';

serveItems((item): ReadCases | WorkbookTable | { problem: string } => {
  const given = item as CaseWorkerItem;
  if ('workbook' in given) {
    try {
      return readWorkbook(given.workbook, given.sheet);
    } catch (error) {
      if (error instanceof WorkbookProblem) return { problem: error.message };
      throw error;
    }
  }
  const { input, schemas } = given;
  return readCases(
    input,
    ({ server, tool }) => schemas.get(server)?.get(tool) ?? null,
    createCatalog((tool) =>
      [...schemas].flatMap(([server, tools]) => (tools.has(tool) ? [server] : [])),
    ),
  );
});
