import { createTwoFilesPatch } from 'diff';
import { splitToolId, toolId as idOf } from '../../../src-shared/domain/labels.ts';
import type { PatchOperation } from '../../../src-shared/domain/similarity.ts';
import { editTool, type TextEdit } from '../../../src-shared/domain/textEdit.ts';
import { offeredTool, type Tool } from '../../../src-shared/domain/tool.ts';

/**
 * Edits as a JSON Patch (RFC 6902) on the result of `tools/list`. Each change is preceded by tests
 * that the tool stands at this place and has the old text. With several servers, the places are
 * those in the list of each server.
 */
export function toolListPatch(
  tools: readonly Pick<Tool, 'server' | 'name'>[],
  edits: readonly TextEdit[],
): PatchOperation[] {
  const places = new Map<string, number>();
  const lengths = new Map<string, number>();
  for (const { server, name } of tools) {
    const place = lengths.get(server) ?? 0;
    places.set(idOf(server, name), place);
    lengths.set(server, place + 1);
  }
  // A name is changed last: the tests before it still use the old name.
  const ordered = [...edits].sort(
    (a, b) => Number(a.path === '/name') - Number(b.path === '/name'),
  );
  return ordered.flatMap(({ toolId, path, oldText, newText }): PatchOperation[] => {
    const root = `/tools/${places.get(toolId) ?? 0}`;
    const at = `${root}${path}`;
    return [
      ...(path === '/name'
        ? []
        : [{ op: 'test' as const, path: `${root}/name`, value: splitToolId(toolId).tool }]),
      ...(oldText === '' ? [] : [{ op: 'test' as const, path: at, value: oldText }]),
      newText === '' ? { op: 'remove', path: at } : { op: 'add', path: at, value: newText },
    ];
  });
}

/** All tools with the edits, as a file that every command reads as `--tools`. */
export function editedToolsFile(tools: readonly Tool[], edits: readonly TextEdit[]): string {
  const list = tools.map((tool) => {
    const edited = editTool(tool, edits);
    return { server: edited.server, ...offeredTool(edited) };
  });
  return `${JSON.stringify({ tools: list }, null, 2)}\n`;
}

export function textDiff({ toolId, path, oldText, newText }: TextEdit): string {
  const name = `${toolId.replace(':', '/')}${path}`;
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, ended(oldText), ended(newText));
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
