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
