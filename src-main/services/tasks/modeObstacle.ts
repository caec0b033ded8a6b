import { callsBefore, resetCalls } from '../../../src-shared/domain/fixtureParts.ts';
import { readsServer } from '../../../src-shared/domain/checkKinds.ts';
import type { ExecutionMode, TaskContent } from '../../../src-shared/domain/task.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import { isExecuted } from './answerCall.ts';

/**
 * Why a mode can't score a task: its setup or a state check needs a tool that the mode doesn't
 * execute. Null if it can. Such a run would only cost money, so no model is asked.
 */
export function modeObstacle(
  { setup, checks, ...fixtures }: Pick<TaskContent, 'setup' | 'checks' | 'before' | 'reset'>,
  mode: ExecutionMode,
  known: readonly Pick<SnapshotTool, 'server' | 'name' | 'annotations'>[],
): string | null {
  const states = checks.filter(readsServer);
  const before = callsBefore(fixtures);
  if (mode === 'stub' && before[0])
    return `execution mode stub executes no tool, so ${before[0].tool} can't be read before the run.`;
  if (mode === 'stub')
    return states[0]
      ? `execution mode stub executes no tool, so the state check ${states[0].id} can't be read.`
      : null;
  const prepared = [...resetCalls(fixtures), ...setup, ...before];
  const refused = [...prepared, ...states].find((call) => !isExecuted(call, { mode, known }));
  return refused
    ? `execution mode ${mode} doesn't execute ${refused.tool}, which its ` +
        `${states.some((check) => check === refused) ? 'state check' : 'setup'} needs.`
    : null;
}
