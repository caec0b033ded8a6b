import {
  counted,
  formatCount,
  formatPercent,
  formatPValue,
} from '../../../src-shared/display/numbers.ts';
import {
  unitOf,
  type OptimizationResult,
  type OptimizationSummary,
} from '../../../src-shared/domain/optimization.ts';
import type { PatchFormat } from '../../../src-shared/domain/candidate.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { editedToolsFile, textDiff, toolListPatch } from '../candidates/toolListPatch.ts';

const extensions: Record<PatchFormat, string> = {
  json_patch: 'patch.json',
  diff: 'diff',
  markdown: 'md',
  tools_file: 'tools.json',
};

/** The proved edits for a program, for a reader, or for a pull request. */
export function optimizationFile(
  { suiteName, modelName, baseNumber, state, settings }: OptimizationSummary,
  result: OptimizationResult,
  tools: readonly Tool[],
  format: PatchFormat,
): { fileName: string; text: string } {
  const unit = unitOf(settings);
  const diff = result.edits.map(textDiff).join('\n');
  const text = {
    json_patch: () => `${JSON.stringify(toolListPatch(tools, result.edits), null, 2)}\n`,
    diff: () => diff,
    tools_file: () => editedToolsFile(tools, result.edits),
    markdown: () =>
      [
        `## ${titleOf(result, state, unit)}`,
        '',
        ...(state === 'accepted' ? [] : ['**Not proven.**', '']),
        `| held-out ${unit}s | before | after | fixed | broken |`,
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
        `Measured with ${modelName} on suite ${suiteName}, starting from ${unit === 'task' ? 'task evaluation' : 'evaluation'} #${baseNumber}.`,
        '',
      ].join('\n'),
  }[format]();
  return { fileName: `${suiteName.replace(/[^\w-]+/gu, '_')}.${extensions[format]}`, text };
}

const share = (passed: number, { cases }: OptimizationResult): string =>
  cases === 0 ? '–' : formatPercent(passed / cases);

/** What was proved, in one line: more cases, fewer tokens, or neither. */
function titleOf(
  { edits, test, won, lost, tokensBefore, tokensAfter }: OptimizationResult,
  state: OptimizationSummary['state'],
  unit: EvaluationUnit,
): string {
  const tools = counted(new Set(edits.map(({ toolId }) => toolId)).size, 'tool');
  if (state !== 'accepted') return `Other descriptions of ${tools}, not proven`;
  return test === 'non_inferiority'
    ? `Shorten the descriptions of ${tools} by ${counted(tokensBefore - tokensAfter, 'token')}`
    : `Fix ${counted(won, `held-out ${unit}`)} with other descriptions of ${tools}${lost === 0 ? '' : `, ${formatCount(lost)} broken`}`;
}
