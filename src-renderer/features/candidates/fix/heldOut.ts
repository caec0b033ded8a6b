import type { ToolProblem } from '../../../../src-shared/domain/rewrite.ts';

/** Whether a tool fails only where nobody may look: then there is nothing to write a fix for. */
export const onlyHeldOut = ({ failing, hiddenFailing }: ToolProblem): boolean =>
  failing.length === 0 && hiddenFailing > 0;
