import { isAnyOf, isToolLabel } from '../domain/labels.ts';
import type { CauseGroup } from '../domain/verdict.ts';

/** Runs that failed in the same way: what was expected, and what was called instead. */
interface Cause {
  expected: string | null;
  called: string | null;
  runs: number;
}

/** A tool whose definition can be changed, with the failures that involve it. */
export interface ToolToFix<C extends Cause = CauseGroup> {
  tool: string;
  /** Failing runs of its causes. */
  runs: number;
  /** The most frequent first. */
  causes: C[];
}

/** The name of a tool that a model made up has no server. */
const isListed = (label: string | null): label is string =>
  label !== null && isToolLabel(label) && !isAnyOf(label) && label.includes(':');

/**
 * The tool whose definition a cause points at: the expected one, or the called one where no single
 * tool was expected. Null if neither is a tool.
 */
export function toolOfCause({
  expected,
  called,
}: Pick<Cause, 'expected' | 'called'>): string | null {
  return [expected, called].find(isListed) ?? null;
}

/**
 * Causes by the tool that they point at, the one with the most failing runs first. Last come those
 * that point at no single tool (null).
 */
export function causesByTool<C extends Cause>(
  causes: readonly C[],
): (Omit<ToolToFix<C>, 'tool'> & { tool: string | null })[] {
  return [...Map.groupBy(causes, toolOfCause)]
    .map(([tool, own]) => ({
      tool,
      runs: own.reduce((sum, { runs }) => sum + runs, 0),
      causes: [...own].sort((a, b) => b.runs - a.runs),
    }))
    .sort(
      (a, b) =>
        Number(a.tool === null) - Number(b.tool === null) ||
        b.runs - a.runs ||
        ((a.tool ?? '') < (b.tool ?? '') ? -1 : 1),
    );
}

/** The tools to fix, the one with the most failing runs first. */
export const toolsToFix = <C extends Cause>(causes: readonly C[]): ToolToFix<C>[] =>
  causesByTool(causes).flatMap(({ tool, ...one }) => (tool === null ? [] : [{ tool, ...one }]));
