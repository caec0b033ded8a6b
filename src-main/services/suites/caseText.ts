import type { CaseFormat, ColumnMap } from '../../../src-shared/contract/suites.ts';
import type { LogSource } from './logs/logRecords.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';

/** A text of cases, as the contract passes it. */
export interface CaseText {
  fileName: string;
  text: string;
  format?: CaseFormat | undefined;
  map?: ColumnMap | undefined;
  server?: string | undefined;
  name?: string | undefined;
}

/** Input schemas by server and tool, limited to those that a text may need. */
export type SchemasByServer = ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;

/** Input of the worker: a text of cases, or a log. */
export type CaseWorkerItem =
  { input: CaseText; schemas: SchemasByServer } | { log: LogSource; fileName: string };
