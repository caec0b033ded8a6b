import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import type { ServerFileInput } from '../../../../src-shared/domain/serverImport.ts';
import { readEntries } from './clientEntry.ts';
import type { FileSource, ServerFile } from './serverFile.ts';

/** Reads `{"servers", "inputs"}`, at the root of `mcp.json` or under `mcp` in the settings. */
export function readVscodeFile(
  source: FileSource,
  root: JsonObject,
  path: JsonPath = [],
): ServerFile {
  const file: ServerFile = { format: 'vscode', entries: [], skipped: [], problems: [] };
  readEntries(file, source, [...path, 'servers'], root['servers'] ?? {}, {
    inputs: readInputs(root['inputs']),
  });
  return file;
}

export function readInputs(value: JsonValue | undefined): ServerFileInput[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).flatMap((input) => {
    const { id, description } = input;
    if (typeof id !== 'string' || id === '') return [];
    const defaultValue = input['default'];
    return [
      {
        id,
        description: typeof description === 'string' ? description : null,
        password: input['password'] === true,
        default: typeof defaultValue === 'string' ? defaultValue : null,
      },
    ];
  });
}
