import { serveItems } from '../../adapters/process/itemLoop.ts';
import type { CaseWorkerItem } from './caseText.ts';
import { readCases } from './exchange/readCases.ts';
import { createCatalog } from './exchange/toolCatalog.ts';
import type { ReadCases } from './exchange/caseExchange.ts';

serveItems((item): ReadCases => {
  const { input, schemas } = item as CaseWorkerItem;
  return readCases(
    input,
    ({ server, tool }) => schemas.get(server)?.get(tool) ?? null,
    createCatalog((tool) =>
      [...schemas].flatMap(([server, tools]) => (tools.has(tool) ? [server] : [])),
    ),
  );
});
