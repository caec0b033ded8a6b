import { serveItems } from '../../adapters/process/itemLoop.ts';
import {
  entriesFrom,
  headOf,
  type CaseWorkerItem,
  type Entries,
  type ReadHead,
} from './caseText.ts';
import { readCases } from './exchange/readCases.ts';
import { createCatalog } from './exchange/toolCatalog.ts';
import { readLog } from './logs/readLog.ts';
import type { ReadCases } from './exchange/caseExchange.ts';

/** What was read stays here: a copy of all of a large file would take as much memory again. */
const kept = new Map<number, ReadCases>();

serveItems((given): ReadHead | Entries | ReturnType<typeof readLog> | null => {
  const item = given as CaseWorkerItem;
  if ('log' in item) return readLog(item.log, item.fileName);
  if ('drop' in item) {
    kept.delete(item.drop);
    return null;
  }
  if ('take' in item) {
    const read = kept.get(item.take);
    if (read === undefined) throw new Error('What was read is gone.');
    return entriesFrom(read, item.from);
  }
  const { input, schemas } = item;
  const read = readCases(
    input,
    ({ server, tool }) => schemas.get(server)?.get(tool) ?? null,
    createCatalog((tool) =>
      [...schemas].flatMap(([server, tools]) => (tools.has(tool) ? [server] : [])),
    ),
  );
  if (read.suite !== null) kept.set(item.read, read);
  return headOf(read);
});
