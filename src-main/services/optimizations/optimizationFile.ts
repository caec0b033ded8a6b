import { createTwoFilesPatch } from 'diff';
import { counted, formatPercent, formatPValue } from '../../../src-shared/display/numbers.ts';
import { splitToolId, toolId as idOf } from '../../../src-shared/domain/labels.ts';
import type {
  OptimizationResult,
  OptimizationSummary,
  TextEdit,
} from '../../../src-shared/domain/optimization.ts';
import type { PatchOperation } from '../../../src-shared/domain/similarity.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';

const extensions = { json_patch: 'patch.json', diff: 'diff', markdown: 'md' };

/** The proved edits for a program, for a reader, or for a pull request. */
export function optimizationFile(
  { suiteName, modelName, baseNumber, state }: OptimizationSummary,
  result: OptimizationResult,
  tools: readonly Pick<Tool, 'server' | 'name'>[],
  format: keyof typeof extensions,
): { fileName: string; text: string } {
  const diff = result.edits.map(textDiff).join('\n');
  const text = {
    json_patch: () => `${JSON.stringify(toolListPatch(tools, result.edits), null, 2)}\n`,
    diff: () => diff,
    markdown: () =>
      [
        `## ${titleOf(result)}`,
        '',
        ...(state === 'accepted' ? [] : ['**Not proven.**', '']),
        '| held-out cases | before | after | fixed | broken |',
        '| --- | --- | --- | --- | --- |',
        `| ${result.cases} | ${share(result.passedBefore, result)} | ${share(result.passedAfter, result)} | ${result.won} | ${result.lost} |`,
        '',
        `p = ${formatPValue(result.pValue)}, needed p ≤ ${formatPValue(result.level)}. ` +
          `Tokens of all tools: ${result.tokensBefore} before, ${result.tokensAfter} after.`,
        '',
        '```diff',
        diff.trimEnd(),
        '```',
        '',
        `Measured with ${modelName} on suite ${suiteName}, starting from evaluation #${baseNumber}.`,
        '',
      ].join('\n'),
  }[format]();
  return { fileName: `${suiteName.replace(/[^\w-]+/gu, '_')}.${extensions[format]}`, text };
}

const share = (passed: number, { cases }: OptimizationResult): string =>
  cases === 0 ? '–' : formatPercent(passed / cases);

function titleOf({ edits }: OptimizationResult): string {
  const tools = new Set(edits.map(({ toolId }) => toolId));
  return `Improve the descriptions of ${counted(tools.size, 'tool')}`;
}

/**
 * Edits as a JSON Patch (RFC 6902) on the result of `tools/list`. Each change is preceded by tests
 * that the tool stands at this place and has the old text. With several servers, the places are
 * those in the list of each server.
 */
function toolListPatch(
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
  // A name is changed last: the tests before it still name the tool as it was.
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

function textDiff({ toolId, path, oldText, newText }: TextEdit): string {
  const name = `${toolId.replace(':', '/')}${path}`;
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, ended(oldText), ended(newText));
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
