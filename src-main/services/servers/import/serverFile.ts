import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import type {
  ServerFileFormat,
  ServerFileInput,
} from '../../../../src-shared/domain/serverImport.ts';
import type { FileProblem } from '../../../../src-shared/domain/suiteFile.ts';

/** A parsed text that still knows where each of its values stands. */
export interface FileSource {
  value: JsonValue;
  problemAt(path: JsonPath, message: string): FileProblem;
}
export type ParsedSource = FileSource | { problems: FileProblem[] };

export interface ServerFileEntry {
  /** As the file has it. */
  name: string;
  config: ServerConfig;
  /** The entry as it stands in the file. */
  original: JsonValue;
  /** Its keys that mean nothing here. */
  extra: JsonObject;
  inputs: ServerFileInput[];
  warnings: string[];
  line: number | null;
  column: number | null;
}

/** What a reader makes of a file: one bad entry never costs the others. */
export interface ServerFile {
  format: ServerFileFormat | null;
  entries: ServerFileEntry[];
  skipped: { name: string; problem: FileProblem }[];
  /** The file as a whole can't be read. */
  problems: FileProblem[];
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
