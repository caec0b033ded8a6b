import { isAnyOf, isToolLabel } from '../domain/labels.ts';
import type { CauseGroup } from '../domain/verdict.ts';

/** A tool whose definition can be changed, with the failures that involve it. */
export interface ToolToFix {
  tool: string;
  /** Failing runs of its causes. */
  runs: number;
  /** The most frequent first. */
  causes: CauseGroup[];
}

/**
 * The tool whose definition a cause points at: the expected one, or the called one where no single
 * tool was expected. Null if neither is a tool.
 */
export function toolOfCause({
  expected,
  called,
}: Pick<CauseGroup, 'expected' | 'called'>): string | null {
  return [expected, called].find((label) => isToolLabel(label) && !isAnyOf(label)) ?? null;
}

/** The tools to fix, the one with the most failing runs first. */
export function toolsToFix(causes: readonly CauseGroup[]): ToolToFix[] {
  const byTool = new Map<string, CauseGroup[]>();
  for (const cause of causes) {
    const tool = toolOfCause(cause);
    if (tool !== null) byTool.set(tool, [...(byTool.get(tool) ?? []), cause]);
  }
  return [...byTool]
    .map(([tool, own]) => ({
      tool,
      runs: own.reduce((sum, { runs }) => sum + runs, 0),
      causes: [...own].sort((a, b) => b.runs - a.runs),
    }))
    .sort((a, b) => b.runs - a.runs || (a.tool < b.tool ? -1 : 1));
}
