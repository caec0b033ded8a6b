import { parse } from 'smol-toml';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';

/** A longer text is read some tables at a time. */
const longText = 256 * 1024;
const partLength = 16 * 1024;

/** The value of a TOML text. Throws TomlError. */
export function readToml(text: string): JsonObject {
  return (text.length > longText ? readTables(text) : null) ?? (parse(text) as JsonObject);
}

/**
 * The value of a text that is one array of tables after its first fields: the parser keeps much for
 * each table, so it gets some at a time. A cut through a text in three quotes leaves one that isn't
 * closed, which can't be read. Null for every other text, and for one with anything wrong.
 */
function readTables(text: string): JsonObject | null {
  const first = /^\[\[([\w-]+)\]\]/m.exec(text);
  const [, name = ''] = first ?? [];
  if (first === null) return null;
  const tables: JsonValue[] = [];
  const header = new RegExp(`^\\[\\[${name}\\]\\]`, 'gm');
  try {
    const head = parse(text.slice(0, first.index)) as JsonObject;
    if (Object.hasOwn(head, name)) return null;
    for (let from = first.index; from < text.length;) {
      header.lastIndex = from + partLength;
      const to = header.exec(text)?.index ?? text.length;
      const part = parse(text.slice(from, to)) as JsonObject;
      const list = part[name];
      if (!Array.isArray(list) || Object.keys(part).length > 1) return null;
      for (const table of list) tables.push(table);
      from = to;
    }
    return { ...head, [name]: tables };
  } catch {
    return null;
  }
}
