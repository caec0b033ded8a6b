import type { CaseFormat, ColumnMap } from '../../../src-shared/contract/suites.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';

/** A text of cases as the contract gives it. */
export interface CaseText {
  fileName: string;
  text: string;
  format?: CaseFormat | undefined;
  map?: ColumnMap | undefined;
  server?: string | undefined;
  name?: string | undefined;
}

/** Input schemas by server and tool, as far as a text may need them. */
export type SchemasByServer = ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;

/** What the thread that reads is given. */
export interface CaseWorkerItem {
  input: CaseText;
  schemas: SchemasByServer;
}
