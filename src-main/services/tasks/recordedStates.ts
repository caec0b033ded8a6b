import { readsServer } from '../../../src-shared/domain/checkKinds.ts';
import { replyTrouble, type AskedWith } from '../../adapters/llm/replyTrouble.ts';
import type { RecordedRun } from '../../../src-shared/domain/recordedExchange.ts';
import type { TaskCheck, Trajectory } from '../../../src-shared/domain/task.ts';

/** What a check reads or starts; empty if it does neither. */
const readBy = (check: TaskCheck): string =>
  check.kind === 'program'
    ? JSON.stringify([check.kind, check.command])
    : readsServer(check)
      ? JSON.stringify([check.kind, check.server, check.tool, check.arguments])
      : '';

/**
 * A recorded run for the checks of today. A state and what a program said count only if their check is still
 * the same, and
 * a run that an older version recorded with a reply that can't be judged is an error of its model.
 */
export function trajectoryFor(
  recorded: RecordedRun,
  checks: readonly TaskCheck[],
  asked: AskedWith,
): Trajectory {
  const before = new Map(recorded.checks.map((check) => [check.id, readBy(check)]));
  const same = new Set(
    checks.filter((check) => before.get(check.id) === readBy(check)).map(({ id }) => id),
  );
  const { states, references, programs, ...played } = recorded.trajectory;
  const stillRead = <Read>(read: Record<string, Read>): Record<string, Read> =>
    Object.fromEntries(Object.entries(read).filter(([id]) => same.has(id)));
  for (const step of played.steps) {
    const message = replyTrouble(step, asked);
    if (message !== null)
      return { ...played, end: { by: 'infrastructure', stage: 'model', message }, states: {} };
  }
  return {
    ...played,
    states: stillRead(states),
    ...(references && { references: stillRead(references) }),
    ...(programs && { programs: stillRead(programs) }),
  };
}
