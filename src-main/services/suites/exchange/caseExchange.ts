import type {
  ColumnMap,
  ExportLoss,
  ImportColumns,
  ImportReport,
} from '../../../../src-shared/contract/suites.ts';
import type { CaseFile, FileProblem, SuiteFile } from '../../../../src-shared/domain/suiteFile.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import type { CaseOrigin } from '../../../../src-shared/domain/testCase.ts';
import type { SchemaOf } from '../suiteProblems.ts';
import type { PackedEntries } from './entryList.ts';
import type { ToolCatalog } from './toolCatalog.ts';

/** The files that a configuration names, by the reference that it has: texts of data, no programs. */
export type NamedFiles = Record<string, { name: string; text: string }[]>;

/** Takes what was read, and how much there is; 0 while that isn’t known. */
export type OnRead = (done: number, total: number) => void;

export interface ReadOptions {
  fileName: string;
  /** Null: that of an earlier import of the same columns, or none. */
  map: ColumnMap | null;
  /** Maps of earlier imports, by `shapeOf` their columns. */
  remembered?: Readonly<Record<string, ColumnMap>> | undefined;
  /** What the files hold that the text refers to; left out: none is opened. */
  files?: NamedFiles | undefined;
  /** The server of tools whose server the source does not name. */
  server: string | null;
  /** Overrides the suite's name in the source. */
  name: string | null;
  schemaOf: SchemaOf;
  /** Left out: no tool is known. */
  catalog?: ToolCatalog;
  /** Told of each record that was read, and of how many there are once that is known. */
  onRecord?: OnRead | undefined;
  /** Returns the entries packed, for a file that is too large for a list of them. */
  keepsPacked?: boolean | undefined;
}

export interface ReadCases {
  /** Null if there is any problem. */
  suite: SuiteFile | null;
  problems: FileProblem[];
  report: ImportReport;
  /** By case id. */
  origins: ReadonlyMap<string, CaseOrigin>;
  /** Null if the format has no columns. */
  columns: ImportColumns | null;
  /** The entries, if they were to stay packed: then the suite has none. */
  packed?: PackedEntries;
}

/**
 * A format of another program. Its functions are pure and never throw because of what a text
 * contains.
 */
export interface CaseExchange {
  read: (text: string, options: ReadOptions) => ReadCases;
  /** `tasks` is only given where the format holds them. */
  write: (
    suite: CaseFile,
    tasks?: readonly SuiteFileTask[],
  ) => { text: string; losses: ExportLoss[] };
  /** Left out: the format holds test cases alone. */
  holdsTasks?: true;
  extension: string;
}
