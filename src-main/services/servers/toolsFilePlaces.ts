import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { parsePointer } from '../../../src-shared/domain/jsonPointer.ts';
import { YamlTree, type Place } from '../files/yamlTree.ts';
import { entryName, listedEntries, serverNameOf } from './toolsFile.ts';

/**
 * Where a part of a tool is in the text of its file. `place` is a JSON pointer within the tool,
 * `offset` one in the text there. `file` is given where each tool has files of its own.
 */
export type FindPlace = (
  id: string,
  place: string,
  offset?: number,
) => (Place & { file?: string }) | null;

/** The names that a part of a tool has in the formats of tools files. */
const namesOf: Readonly<Record<string, readonly string[]>> = {
  name: ['tool', 'name'],
  inputSchema: ['inputSchema', 'input_schema', 'schema'],
  outputSchema: ['outputSchema', 'output_schema'],
};

/**
 * Finds lines and columns in the text of a tools file that was read before. The text is only parsed
 * with positions when a place is asked for. Null where the tool is not in the file, or the file is
 * too large for positions.
 */
export function placesInToolsFile(content: string, fileName: string): FindPlace {
  const text = content.replace(/^\uFEFF/, '');
  let parsed: ReturnType<typeof parse> | undefined;
  function parse() {
    // YAML rejects tabs between values that JSON allows. JSON strings contain none.
    const { tree } = YamlTree.parse(text.replaceAll('\t', ' '), 'json');
    const entries = listedEntries(JSON.parse(text));
    const own = serverNameOf(fileName);
    const indexes = new Map<string, number>();
    for (const [index, { entry }] of entries.entries()) {
      const named = isJsonObject(entry) ? entryName(entry, own) : null;
      if (named === null || named.name === null) continue;
      const id = toolId(named.server, named.name);
      // Of two tools with one name, the first is offered.
      if (!indexes.has(id)) indexes.set(id, index);
    }
    return { tree, entries, indexes };
  }
  return (id, place) => {
    const { tree, entries, indexes } = (parsed ??= parse());
    const index = indexes.get(id);
    const found = index === undefined ? undefined : entries[index];
    if (tree === null || found === undefined) return null;
    const { entry, path } = found;
    const isName = place.endsWith('#name');
    const [part = '', ...inner] = parsePointer(isName ? place.slice(0, -'#name'.length) : place);
    const written = (namesOf[part] ?? [part]).find(
      (name) => isJsonObject(entry) && entry[name] !== undefined,
    );
    const steps = written === undefined ? [] : [written, ...inner];
    return tree.locate([...path, ...steps], isName ? 'name' : 'value');
  };
}
