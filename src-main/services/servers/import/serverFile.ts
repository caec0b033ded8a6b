import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import type {
  ServerFileFormat,
  ServerFileInput,
} from '../../../../src-shared/domain/serverImport.ts';
import type { FileProblem } from '../../../../src-shared/domain/suiteFile.ts';

/** A parsed text that knows the position of each of its values. */
export interface FileSource {
  value: JsonValue;
  problemAt(path: JsonPath, message: string): FileProblem;
}
export type ParsedSource = FileSource | { problems: FileProblem[] };

export interface ServerFileEntry {
  /** The name in the file, before it is made valid and unique. */
  name: string;
  config: ServerConfig;
  /** Settings that have no meaning in this program. */
  extra: JsonObject;
  /** Their paths in the entry, such as `requestOptions.proxy`. */
  notCarried: string[];
  inputs: ServerFileInput[];
  warnings: string[];
  line: number | null;
  column: number | null;
}

/** What a reader found in a file. An invalid entry is skipped and never affects the others. */
export interface ServerFile {
  format: ServerFileFormat | null;
  entries: ServerFileEntry[];
  skipped: { name: string; problem: FileProblem }[];
  /** Not empty if the file as a whole cannot be read. */
  problems: FileProblem[];
  /** Files that it names and that were not given with it, as it writes them. */
  named?: string[];
}

export const unreadableFile = (...problems: FileProblem[]): ServerFile => ({
  format: null,
  entries: [],
  skipped: [],
  problems,
});

export const problemAtStart = (message: string): FileProblem => ({
  line: 1,
  column: 1,
  path: '',
  message,
});
