import { splitToolId, toolId } from '../../../../src-shared/domain/labels.ts';
import type {
  CaseContent,
  ExpectedCall,
  ToolReference,
} from '../../../../src-shared/domain/testCase.ts';
import type { AppliedChange, WhatIf } from '../../../../src-shared/domain/whatIf.ts';
import { questionOf } from '../read/questionOf.ts';

/** The new ids of renamed tools by their original ids; chains of renames are collapsed. */
export function renamedTools(changes: readonly AppliedChange[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const change of changes) {
    if (change.kind !== 'rename') continue;
    const first = [...names].find(([, now]) => now === change.toolId)?.[0] ?? change.toolId;
    names.set(first, change.to);
  }
  return names;
}

/** Renames the tools in a case, so that a renamed tool still counts as correct. */
export function renameCase(content: CaseContent, names: ReadonlyMap<string, string>): CaseContent {
  if (names.size === 0) return content;
  const named = <Reference extends ToolReference>(reference: Reference): Reference => {
    const to = names.get(toolId(reference.server, reference.tool));
    return to === undefined ? reference : { ...reference, tool: splitToolId(to).tool };
  };
  return {
    ...content,
    expectedCalls: content.expectedCalls.map((call): ExpectedCall =>
      'anyOf' in call ? { ...call, anyOf: call.anyOf.map(named) } : named(call),
    ),
    allowedCalls: content.allowedCalls.map(named),
    stubResults: content.stubResults.map(named),
  };
}

/**
 * Returns a function that identifies the question of a case of `after` by the tool names of
 * `before`: a case in which tools were only renamed is the same question.
 */
export function questionKey(
  after: WhatIf | null,
  before: WhatIf | null,
): (content: CaseContent) => string {
  const oldNames = new Map([...renamedTools(after?.changes ?? [])].map(([old, now]) => [now, old]));
  const baseNames = renamedTools(before?.changes ?? []);
  return (content) => {
    return questionOf(renameCase(renameCase(content, oldNames), baseNames));
  };
}
