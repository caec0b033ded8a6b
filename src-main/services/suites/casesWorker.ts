import { serveItems } from '../../adapters/process/itemLoop.ts';
import type { CaseWorkerItem } from './caseText.ts';
import { readCases } from './exchange/readCases.ts';
import { createCatalog } from './exchange/toolCatalog.ts';
import { readLog } from './logs/readLog.ts';
import type { ReadCases } from './exchange/caseExchange.ts';

serveItems((given): ReadCases | ReturnType<typeof readLog> => {
  const item = given as CaseWorkerItem;
  if ('log' in item) return readLog(item.log, item.fileName);
  const { input, schemas } = item;
  return readCases(
    input,
    ({ server, tool }) => schemas.get(server)?.get(tool) ?? null,
    createCatalog((tool) =>
      [...schemas].flatMap(([server, tools]) => (tools.has(tool) ? [server] : [])),
    ),
  );
});
