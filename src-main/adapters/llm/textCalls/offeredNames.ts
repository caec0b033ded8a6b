import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ShownTool } from '../../../../src-shared/domain/tool.ts';
import { callSuffix, nameTools, type NamedTool } from '../wire/toolNames.ts';

export interface OfferedNames {
  /** The id (`server:tool`) of the tool that is named so; undefined where none was offered. */
  resolve(name: string): string | undefined;
  /** As above, only for the name that was sent, which is no word of a language. */
  resolveWire(name: string): string | undefined;
}

/** What models and their templates put before a name: `functions.x`, `default_api.x`. */
const namespace = /^(?:functions?|tools?|default_api|api|mcp)(?:[.:/]|__)/;
const maxNameLength = 300;

/** How a tool is named in a sentence: recorded lines may have tools without a server. */
export const shownTool = ({ server, name }: NamedTool): string =>
  server === '' ? name : toolId(server, name);

const known = new WeakMap<readonly NamedTool[], OfferedNames>();

/**
 * The names of offered tools: as they were sent, as their servers call them, and both with their
 * server. Equal lists are the same object, so each is read once.
 */
export function offeredNames(
  tools: readonly (NamedTool & Pick<ShownTool, 'wireName'>)[],
): OfferedNames {
  const before = known.get(tools);
  if (before) return before;
  // A client shows tools under names of its own, which may be equal.
  const wireNames = tools.some(({ wireName }) => wireName !== undefined)
    ? tools.map(({ wireName, name }) => wireName ?? name)
    : nameTools(tools);
  const wire = new Map<string, string>();
  const names = new Map<string, string>();
  for (const [index, { server, name }] of tools.entries()) {
    const id = shownTool({ server, name });
    const sent = wireNames[index] ?? name;
    wire.set(sent, id);
    // A Python call can't have a hyphen in its name.
    const written = [sent, name, name.replace(/\W/gu, '_')];
    if (server !== '')
      for (const joint of [':', '.', '/', '__']) written.push(`${server}${joint}${name}`);
    for (const each of written) if (each !== '' && !names.has(each)) names.set(each, id);
  }
  const made: OfferedNames = {
    resolve(raw) {
      if (raw.length > maxNameLength) return undefined;
      const name = raw.replace(/^[\s"'`*]+|[\s"'`*,;]+$/g, '');
      const bare = name.replace(callSuffix, '');
      return (
        names.get(name) ??
        names.get(bare) ??
        names.get(name.replace(namespace, '')) ??
        names.get(bare.replace(namespace, ''))
      );
    },
    resolveWire: (name) => wire.get(name),
  };
  known.set(tools, made);
  return made;
}
