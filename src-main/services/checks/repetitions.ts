import type { PassedWhen } from '../../../src-shared/domain/comparison.ts';
import { pairCases } from '../results/pairCases.ts';
import { pairModels } from './comparability.ts';
import { byContent, removedIn, type ReportPair } from './references.ts';
import type { ReportedRun } from './reportFile.ts';
import { itemsOf, runResult, type NamedReport } from './reportSides.ts';

interface PairedRuns {
  caseKey: string;
  modelId: string;
  before: ReportedRun[];
  now: ReportedRun[];
  /** Whether both first repetitions are scored, and only one of them passed. */
  disagrees: boolean;
}

export interface AskedModel {
  modelId: string;
  keys: string[];
  /** Repetitions that each case has in the end. */
  upTo: number;
}

/**
 * The cases that each model is to be asked again: those whose first repetition disagrees with that of
 * a baseline that has further ones, as many as it has, at most `upTo`. A case that lost its tool is
 * not asked: nothing else would come of it.
 */
export function toAskAgain(
  references: readonly ReportPair[],
  upTo: number,
  when: PassedWhen,
): AskedModel[] {
  const asked = new Map<string, AskedModel>();
  for (const pair of references) {
    const most = Math.min(upTo, pair.baseline.report.settings.repetitions);
    if (most < 2) continue;
    for (const { caseKey, modelId, now, disagrees } of pairedRuns(pair, when)) {
      if (!disagrees || now[0]?.passed === null) continue;
      const model = asked.get(modelId) ?? { modelId, keys: [], upTo: most };
      asked.set(modelId, model);
      if (!model.keys.includes(caseKey)) model.keys.push(caseKey);
      model.upTo = Math.max(model.upTo, most);
    }
  }
  return [...asked.values()];
}

/**
 * Both sides of a check that asked again, with the repetitions that count (docs/rules.md §3, Gates):
 * of a case whose first repetitions agree these alone, so that it differs by 0; of one that disagrees
 * every repetition that is scored on both sides. "No difference" means that the runs of a case could
 * change sides. Then the choice of cases is the same, and the difference d of a case is as likely as
 * −d. So the sign-flip test over the cases is exact, although the first repetitions count in it.
 */
export function alignRepetitions<Pair extends ReportPair>(pair: Pair, when: PassedWhen): Pair {
  const { baseline, now } = pair;
  if (now.report.askedAgain === null) return pair;
  const isRemoved = removedIn(baseline.report, now.report);
  const scored = (runs: readonly ReportedRun[]) =>
    new Set(
      runs
        .filter((run) => runResult(run, when, isRemoved) !== null)
        .map(({ repetition }) => repetition),
    );
  const left = new Set<ReportedRun>();
  const again: ReportedRun[] = [];
  for (const { before, now: own, disagrees } of pairedRuns(pair, when)) {
    const [old, fresh] = [scored(before), scored(own)];
    const counts = ({ repetition }: ReportedRun) =>
      repetition === 1 || (disagrees && old.has(repetition) && fresh.has(repetition));
    for (const run of before) if (!counts(run)) left.add(run);
    again.push(...own.filter((run) => run.repetition > 1 && counts(run)));
  }
  const withRuns = <Side extends NamedReport>(side: Side, runs: ReportedRun[]): Side => ({
    ...side,
    report: { ...side.report, runs },
  });
  return {
    ...pair,
    baseline: withRuns(
      baseline,
      baseline.report.runs.filter((run) => !left.has(run)),
    ),
    now: withRuns(now, [...now.report.runs, ...again]),
  };
}

/** The runs of each case and model that both sides have, with what was asked again. */
function pairedRuns({ baseline, now }: ReportPair, when: PassedWhen): PairedRuns[] {
  const isRemoved = removedIn(baseline.report, now.report);
  const place = (run: Pick<ReportedRun, 'model_id' | 'case_id'>) =>
    JSON.stringify([run.model_id, run.case_id]);
  const runsOf = Map.groupBy(now.report.runs, place);
  const before = Map.groupBy(baseline.report.runs, place);
  const again = Map.groupBy(now.report.askedAgain?.runs ?? [], place);
  const cases = pairCases(itemsOf(baseline.report), itemsOf(now.report), byContent);
  const first = (runs: readonly ReportedRun[]): boolean | null => {
    const run = runs.find(({ repetition }) => repetition === 1);
    return run === undefined ? null : runResult(run, when, isRemoved);
  };
  return pairModels(baseline.report.models, now.report.models).pairs.flatMap((models) =>
    [...cases.shared, ...cases.changed].map((pair): PairedRuns => {
      const [was, is] = [pair.before.caseKey ?? '', pair.after.caseKey ?? ''];
      const at = place({ model_id: models.after.id, case_id: is });
      const own = runsOf.get(at) ?? [];
      const old = before.get(place({ model_id: models.before.id, case_id: was })) ?? [];
      const repeated = own.slice(0, 1).flatMap((known) =>
        (again.get(at) ?? []).map(({ called, ...run }): ReportedRun => ({
          ...known,
          ...run,
          classification: null,
          shown: called,
          cause:
            run.passed === false
              ? (known.cause ?? {
                  problem: 'failed',
                  expected: known.expected.join(', '),
                  called: called.join(', '),
                })
              : null,
        })),
      );
      const [a, b] = [first(old), first(own)];
      return {
        ...{ caseKey: is, modelId: models.after.id, before: old, now: [...own, ...repeated] },
        disagrees: a !== null && b !== null && a !== b,
      };
    }),
  );
}

/**
 * How many cases, over all models, would disagree with a baseline by chance alone: the sum of the
 * chances that two different repetitions of a case in it do, 2·k·(n − k) ÷ (n·(n − 1)) with k of n
 * passed. Cases without two scored repetitions are left out. 0 or more.
 */
export const expectedToDisagree = ({ report }: NamedReport, when: PassedWhen): number =>
  [
    ...Map.groupBy(report.runs, ({ model_id: id, case_id: key }) => JSON.stringify([id, key])),
  ].reduce((sum, [, runs]) => {
    const scored = runs.map((run) => runResult(run, when)).filter((passed) => passed !== null);
    const n = scored.length;
    const k = scored.filter(Boolean).length;
    return n < 2 ? sum : sum + (2 * k * (n - k)) / (n * (n - 1));
  }, 0);
