import type { CaseFormat, ColumnMap } from '../../../src-shared/contract/suites.ts';
import type { LogSource } from './logs/logRecords.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { SuiteFile } from '../../../src-shared/domain/suiteFile.ts';
import type { ReadCases } from './exchange/caseExchange.ts';
import type { ListedTool } from './exchange/toolCatalog.ts';

/** A text of cases, as the contract passes it. */
export interface CaseText {
  fileName: string;
  text: string;
  format?: CaseFormat | undefined;
  map?: ColumnMap | undefined;
  /** Maps of earlier imports, by the shape of their columns. */
  remembered?: Readonly<Record<string, ColumnMap>> | undefined;
  server?: string | undefined;
  name?: string | undefined;
}

/** Input schemas by server and tool, limited to those that a text may need. */
export type SchemasByServer = ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;

/**
 * What the worker is asked: to read a text and keep what it read, for some of the entries that it
 * keeps, to keep them no longer, to read a log, or to
 * turn a workbook into a text.
 */
export type CaseWorkerItem =
  | {
      read: number;
      input: CaseText;
      schemas: SchemasByServer;
      /** The tools of all servers, by server. */
      listed: ReadonlyMap<string, readonly ListedTool[]>;
    }
  | { take: number; from: number }
  | { drop: number }
  | { log: LogSource; fileName: string }
  | { workbook: Uint8Array; sheet: string | null };

/** Cases and tasks of a file, in its order. */
export interface Entries {
  entries: SuiteFile['cases'];
  /** By id. */
  origins: ReadCases['origins'];
}

/** What was read, without its entries. */
export type ReadHead = Omit<ReadCases, 'suite' | 'origins'> & {
  suite: Omit<SuiteFile, 'cases'> | null;
  /** Entries of the suite. */
  count: number;
};

/** Entries that are handed over at once. */
export const entriesAtOnce = 200;

export function headOf({ suite, problems, report, columns }: ReadCases): ReadHead {
  if (suite === null) return { suite, count: 0, problems, report, columns };
  const { cases, ...rest } = suite;
  return { suite: rest, count: cases.length, problems, report, columns };
}

/** The entries from one on; none behind the last. */
export function entriesFrom({ suite, origins }: ReadCases, from: number): Entries {
  const entries = suite?.cases.slice(from, from + entriesAtOnce) ?? [];
  return {
    entries,
    origins: new Map(
      entries.flatMap(({ id }) => {
        const origin = origins.get(id);
        return origin === undefined ? [] : [[id, origin]];
      }),
    ),
  };
}
