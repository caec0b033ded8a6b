import type { CaseFormat, ColumnMap } from '../../../src-shared/contract/suites.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';

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

/** Input of the worker: a text to read, or a workbook to turn into one. */
export type CaseWorkerItem =
  { input: CaseText; schemas: SchemasByServer } | { workbook: Uint8Array; sheet: string | null };
