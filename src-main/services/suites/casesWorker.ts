import { serveItems } from '../../adapters/process/itemLoop.ts';
import type { ReadingItem } from './caseText.ts';
import { readCases } from './exchange/readCases.ts';
import type { ReadCases } from './exchange/exchange.ts';

serveItems((item): ReadCases => {
  const { input, schemas } = item as ReadingItem;
  return readCases(input, ({ server, tool }) => schemas.get(server)?.get(tool) ?? null);
});
