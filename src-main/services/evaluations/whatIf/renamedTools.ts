import { splitToolId, toolId } from '../../../../src-shared/domain/labels.ts';
import type {
  CaseContent,
  ExpectedCall,
  ToolReference,
} from '../../../../src-shared/domain/testCase.ts';
import type { AppliedChange } from '../../../../src-shared/domain/whatIf.ts';

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
export const renameCase = (
  content: CaseContent,
  names: ReadonlyMap<string, string>,
): CaseContent => (names.size === 0 ? content : renameCaseBy(content, (id) => names.get(id) ?? id));

/** The same with a rule for the ids of tools. */
export function renameCaseBy(content: CaseContent, renamed: (id: string) => string): CaseContent {
  const named = <Reference extends ToolReference>(reference: Reference): Reference => ({
    ...reference,
    tool: splitToolId(renamed(toolId(reference.server, reference.tool))).tool,
  });
  return {
    ...content,
    expectedCalls: content.expectedCalls.map((call): ExpectedCall =>
      'anyOf' in call ? { ...call, anyOf: call.anyOf.map(named) } : named(call),
    ),
    allowedCalls: content.allowedCalls.map(named),
    stubResults: content.stubResults.map(named),
  };
}
