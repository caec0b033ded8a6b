import type { joinAnswers } from './exchange/answersFile.ts';
import type { CaseFormat, ColumnMap, ImportReport } from '../../../src-shared/contract/suites.ts';
import type { LogSource } from './logs/logRecords.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { SuiteFile } from '../../../src-shared/domain/suiteFile.ts';
import type { ReadCases } from './exchange/caseExchange.ts';
import type { PackedEntries } from './exchange/entryList.ts';
import type { NamedFiles } from './exchange/caseExchange.ts';
import type { ListedTool } from './exchange/toolCatalog.ts';

/** A text of cases, as the contract passes it. */
export interface CaseText {
  fileName: string;
  text: string;
  format?: CaseFormat | undefined;
  map?: ColumnMap | undefined;
  /** Maps of earlier imports, by the shape of their columns. */
  remembered?: Readonly<Record<string, ColumnMap>> | undefined;
  /** What the files hold that the text refers to, by the name that it uses. */
  files?: NamedFiles | undefined;
  server?: string | undefined;
  name?: string | undefined;
}

/** Input schemas by server and tool, limited to those that a text may need. */
export type SchemasByServer = ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;

/** What the worker is asked: to read a text or a log, or to turn a workbook into a text. */
export type CaseWorkerItem =
  | {
      input: CaseText;
      schemas: SchemasByServer;
      /** The tools of all servers, by server. */
      listed: ReadonlyMap<string, readonly ListedTool[]>;
    }
  | { log: LogSource; fileName: string }
  | { workbook: Uint8Array; sheet: string | null }
  | { join: Parameters<typeof joinAnswers>[0]; answers: Parameters<typeof joinAnswers>[1] };

export interface Entries {
  entries: SuiteFile['cases'];
  /** By id. */
  origins: ReadCases['origins'];
}

/** What was read, without its entries. */
export type ReadHead = Omit<ReadCases, 'suite' | 'origins' | 'packed'> & {
  suite: Omit<SuiteFile, 'cases'> | null;
  /** Entries of the suite. */
  count: number;
};

export function headOf({ suite, problems, report, columns, packed }: ReadCases): ReadHead {
  if (suite === null) return { suite, count: 0, problems, report, columns };
  const { cases, ...rest } = suite;
  return { suite: rest, count: packed?.count ?? cases.length, problems, report, columns };
}

/** What a thread read: its entries are bytes that it hands over, and it keeps nothing. */
export interface WorkerRead {
  head: Omit<ReadHead, 'report'> & { report: Omit<ImportReport, 'approximated'> };
  changes: PackedChanges;
  packed: PackedEntries;
}

/** The changes of a report, with each text once: a message between threads copies every text. */
export interface PackedChanges {
  texts: { what: string; why: string }[];
  /** The case of each change, and the number of its text. */
  cases: string[];
  numbers: number[];
}

export function packChanges(changes: ImportReport['approximated']): PackedChanges {
  const texts = new Map<string, { what: string; why: string; number: number }>();
  const numbers = changes.map(({ what, why }) => {
    const key = `${what}\0${why}`;
    const known = texts.get(key) ?? { what, why, number: texts.size };
    texts.set(key, known);
    return known.number;
  });
  return {
    texts: [...texts.values()].map(({ what, why }) => ({ what, why })),
    cases: changes.map((each) => each.case),
    numbers,
  };
}

export const unpackChanges = ({
  texts,
  cases,
  numbers,
}: PackedChanges): ImportReport['approximated'] =>
  cases.flatMap((name, at) => {
    const text = texts[numbers[at] ?? -1];
    return text === undefined ? [] : [{ case: name, ...text }];
  });
