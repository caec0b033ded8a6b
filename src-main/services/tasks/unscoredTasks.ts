import type { UnscoredGroup } from '../../../src-shared/domain/judgement.ts';
import { joinReasons } from '../../../src-shared/domain/unscoredReasons.ts';
import type { TaskReport } from '../../../src-shared/domain/taskReport.ts';

const maxNamed = 5;

/** Why runs of tasks have no score, the most frequent reason first. */
export function unscoredTasks({ runs, evaluation }: TaskReport): UnscoredGroup[] {
  const groups = new Map<string, UnscoredGroup>();
  for (const { outcome, failure, reason, taskKey } of runs) {
    if (outcome !== null && outcome !== 'not_scored') continue;
    const message = outcome === null ? evaluation.reason : reason;
    const key = `${failure}\n${message}`;
    const known = groups.get(key) ?? { failure, message, runs: 0, cases: [] };
    groups.set(key, {
      ...known,
      runs: known.runs + 1,
      cases:
        known.cases.length < maxNamed && !known.cases.includes(taskKey)
          ? [...known.cases, taskKey]
          : known.cases,
    });
  }
  return joinReasons([...groups.values()]).map((group) => ({
    ...group,
    cases: group.cases.slice(0, maxNamed),
  }));
}
