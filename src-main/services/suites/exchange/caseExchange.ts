import type {
  ColumnMap,
  ExportLoss,
  ImportColumns,
  ImportReport,
} from '../../../../src-shared/contract/suites.ts';
import type { FileProblem, SuiteFile } from '../../../../src-shared/domain/suiteFile.ts';
import type { CaseOrigin } from '../../../../src-shared/domain/testCase.ts';
import type { SchemaOf } from '../suiteProblems.ts';

export interface ReadOptions {
  fileName: string;
  map: ColumnMap;
  /** The server of tools for which the source names none. */
  server: string | null;
  /** The suite's name, where it is to have another one than in the source. */
  name: string | null;
  schemaOf: SchemaOf;
}

export interface ReadCases {
  /** Null while there is a problem. */
  suite: SuiteFile | null;
  problems: FileProblem[];
  report: ImportReport;
  /** By the id of the case. */
  origins: ReadonlyMap<string, CaseOrigin>;
  /** Null where the format has no columns. */
  columns: ImportColumns | null;
}

/** One format of cases that another program made: pure, and never throws on what a text holds. */
export interface CaseExchange {
  read: (text: string, options: ReadOptions) => ReadCases;
  write: (suite: SuiteFile) => { text: string; losses: ExportLoss[] };
  /** What its files end in. */
  extension: string;
}
