import { applyEdits, findNodeAtLocation, modify, parseTree, type Node } from 'jsonc-parser';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../src-shared/domain/jsonPointer.ts';
import { lineEndOf, withoutItem } from './clientEntry.ts';

/**
 * Adds an entry before the others of an object. The library would format its neighbors anew, and
 * move a comment behind the last one.
 */
export function insertFirst(text: string, path: JsonPath, name: string, value: JsonObject): string {
  const object = nodeAt(text, path);
  if (object === undefined) return text;
  const isEmpty = (object.children ?? []).length === 0;
  const at = object.offset + 1;
  const key = JSON.stringify(name);
  const [head, tail] = [text.slice(0, at), text.slice(at)];
  if (!text.includes('\n'))
    return `${head}${key}:${JSON.stringify(value)}${isEmpty ? '' : ','}${tail}`;
  const { indent, eol } = layoutOf(text);
  const outer = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', object.offset) + 1))?.[0] ?? '';
  const inner = `${eol}${outer}${indent}`;
  const written = JSON.stringify(value, null, indent).replaceAll('\n', inner);
  const end = isEmpty && /^[ \t]*\}/.test(tail) ? `${eol}${outer}` : '';
  return `${head}${inner}${key}: ${written}${isEmpty ? end : ','}${tail}`;
}

export function setValue(text: string, path: JsonPath, value: unknown): string {
  const { indent, eol } = layoutOf(text);
  const formattingOptions = {
    tabSize: indent.length,
    insertSpaces: !indent.startsWith('\t'),
    eol,
  };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}

/** One step of indentation and the line ends that the file has. */
function layoutOf(text: string): { indent: string; eol: string } {
  return {
    indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ',
    eol: lineEndOf(text),
  };
}

/**
 * A JSON file without the entry, or with the one that an earlier text has in its place. All other
 * text stays as it is.
 */
export function takeOutJsonEntry(
  now: string,
  earlier: string | null,
  table: string,
  name: string,
): string {
  const found = nodeAt(now, [table, name]);
  if (found === undefined) return now;
  const before = earlier === null ? undefined : nodeAt(earlier, [table, name]);
  if (before !== undefined && earlier !== null) {
    const [start, end] = [found.offset, found.offset + found.length];
    const old = earlier.slice(before.offset, before.offset + before.length);
    return now.slice(0, start) + old + now.slice(end);
  }
  const text = withoutProperty(now, found);
  const hadTable = earlier === null || nodeAt(earlier, [table]) !== undefined;
  const servers = nodeAt(text, [table]);
  if (hadTable || servers === undefined) return text;
  const isEmpty = /^\{\s*\}$/.test(text.slice(servers.offset, servers.offset + servers.length));
  return isEmpty ? withoutProperty(text, servers) : text;
}

function nodeAt(text: string, path: JsonPath): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root && findNodeAtLocation(root, [...path]);
}

function withoutProperty(text: string, { parent: property }: Node): string {
  if (property === undefined) return text;
  const all = property.parent?.children ?? [];
  const previous = all[all.indexOf(property) - 1];
  const { offset, length } = property;
  return withoutItem(
    text,
    offset,
    offset + length,
    previous === undefined ? null : previous.offset + previous.length,
  );
}
