import type { RunOutcome } from '../../../../src-shared/domain/evaluation.ts';
import { areOfSeveralServers } from '../../../../src-shared/domain/labels.ts';
import type { OutcomeCounts } from '../../../../src-shared/domain/outcome.ts';
import type { CauseGroup, Verdict } from '../../../../src-shared/domain/verdict.ts';
import {
  causeOf,
  emptyOutcomeCounts,
  outcomeOfRun,
} from '../../../../src-shared/metrics/outcomes.ts';
import { summarize } from '../../../../src-shared/metrics/summary.ts';
import type { LiveEvaluation } from './foldEvents.ts';

interface Shape {
  /** The model that is shown; null for all. */
  model: string | null;
  models: readonly string[];
  repetitions: number;
}

/** The verdict on the runs that have ended so far, by the arithmetic of the ended evaluation. */
export function liveVerdict(live: LiveEvaluation, { model, models, repetitions }: Shape): Verdict {
  const all = [...live.outcomes.values()];
  const shown = model === null ? models : [model];
  const plannedPerModel = Math.round(live.planned / Math.max(1, models.length));
  const perModel = shown.map((modelSettingsId) => {
    const own = all.filter((run) => run.modelSettingsId === modelSettingsId);
    return {
      modelSettingsId,
      counts: countOutcomes(own, plannedPerModel),
      passRate: summarize(own).passRate,
    };
  });
  const runs = all.filter((run) => model === null || run.modelSettingsId === model);
  const causes = groupCauses(runs);
  return {
    unit: shown.length === 1 && repetitions === 1 ? 'cases' : 'runs',
    cases: Math.round(plannedPerModel / repetitions),
    counts: countOutcomes(runs, plannedPerModel * shown.length),
    passRate: summarize(runs).passRate,
    models: perModel.map((model) => ({ ...model, vsBest: null })),
    casesPassedByAll: null,
    causes,
    missingWords: [],
    severalServers: areOfSeveralServers(
      causes.flatMap(({ expected, called }) => [expected, called]),
    ),
    previous: null,
  };
}

function countOutcomes(runs: readonly RunOutcome[], planned: number): OutcomeCounts {
  const counts = emptyOutcomeCounts();
  for (const run of runs) counts[outcomeOfRun(run)] += 1;
  counts.not_run += Math.max(0, planned - runs.length);
  return counts;
}

function groupCauses(runs: readonly RunOutcome[]): CauseGroup[] {
  const groups = new Map<string, CauseGroup & { positions: Set<number> }>();
  for (const { classification, passed, units, position } of runs) {
    const cause = classification === null ? null : causeOf({ classification, passed, units });
    if (!cause) continue;
    const key = JSON.stringify([cause.outcome, cause.expected, cause.called]);
    const group = groups.get(key) ?? { ...cause, runs: 0, cases: 0, positions: new Set() };
    group.runs += 1;
    group.positions.add(position);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ positions, ...group }) => ({ ...group, cases: positions.size }))
    .sort((a, b) => b.runs - a.runs);
}
