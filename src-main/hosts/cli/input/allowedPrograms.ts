import { programsText } from '../../../../src-shared/display/executionTexts.ts';
import type { Agreement, ExecutionPlan } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { CommandContext } from '../commandContext.ts';
import { UsageError } from '../exitCodes.ts';

/** What starting a plan agrees to, once its command has checked that it may. */
export const agreedTo = ({
  mode,
  servers,
  programs,
}: Pick<ExecutionPlan, 'mode' | 'servers' | 'programs'>): Agreement => ({
  agreedServers: mode === 'full' ? servers : [],
  agreedPrograms: programs,
});

/** Throws if a plan starts programs and the command doesn't allow them; else says which. */
export function allowPrograms(
  { programs }: Pick<ExecutionPlan, 'programs'>,
  isAllowed: boolean | undefined,
  output: Pick<CommandContext['output'], 'note'>,
): void {
  if (programs.length === 0) return;
  if (isAllowed !== true)
    throw new UsageError(
      `${programsText(programs)} Read them, then give --allow-programs to let the suite start them.`,
    );
  output.note(programsText(programs));
}
