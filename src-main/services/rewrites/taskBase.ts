import type { Advice } from '../../../src-shared/domain/advice.ts';
import type { FailingRequest, ProofPlan, Rewrite } from '../../../src-shared/domain/rewrite.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { changesOfEdits } from '../../../src-shared/domain/textEdit.ts';
import { flipsNeeded, proofLevel } from '../../../src-shared/metrics/rewriteProof.ts';
import { advise } from '../../analysis/advice/advise.ts';
import type { CaseScore } from '../../optimize/effects.ts';
import type { Store } from '../../store/store.ts';
import { readRunRows } from '../tasks/readTaskReport.ts';
import { findTaskEvaluation } from '../tasks/shownTaskEvaluation.ts';
import type { Half, HalfItem, Trial } from '../trials/trial.ts';
import type { Trials } from '../trials/trials.ts';
import { adviceForTool } from './adviceForTool.ts';
import type { FixBase, Target } from './fixBase.ts';
import { repeatedItems } from './judgeRewrite.ts';
import { requireTool } from './requireTool.ts';

/** More than a person reads while editing one tool. */
const maxListed = 100;

/** A task of one half with how it came out in the evaluation. */
interface Scored {
  item: HalfItem;
  score: CaseScore;
}

const hasFailed = ({ score }: Scored): boolean => score.share !== null && score.share < 0.5;

/** Tasks with an outcome by majority of their repetitions. */
function scoredHalf(trial: Trial, half: Half): Scored[] {
  const items = trial.half(half);
  const scores = trial.scores(items);
  return items.flatMap((item, at) => {
    const score = scores[at];
    return score === undefined || score.share === null || score.share === 0.5
      ? []
      : [{ item, score }];
  });
}

/** Whether a task failed at a tool: it was expected or called at the first wrong step of a run. */
const failsAt = (scored: Scored, toolId: string): boolean =>
  hasFailed(scored) &&
  scored.score.failures.some(({ expected, called }) => expected === toolId || called === toolId);

/** A tool of an evaluation of tasks. */
export function openTaskBase(
  store: Store,
  trials: Pick<Trials, 'open'>,
  { toolId, ...target }: Target,
): FixBase {
  const trial = trials.open(target);
  const tools = [...trial.tools];
  const tool = requireTool(tools, toolId, trial.name);
  return {
    unit: 'task',
    evaluationId: trial.evaluationId,
    number: trial.number,
    get proofKeys() {
      return trial.proofKeys;
    },
    model: trial.model,
    tool,
    tools,
    requests: () => trial.half('search').map(({ query }) => query),
    confusions: () =>
      scoredHalf(trial, 'search').flatMap(({ score }) =>
        score.failures.map(({ expected, called }) => ({
          expected: expected === null ? [] : [expected],
          called,
        })),
      ),
    problem(rewrite, openSignals) {
      const [search, proof] = [scoredHalf(trial, 'search'), scoredHalf(trial, 'proof')];
      const failing = search.filter((one) => failsAt(one, toolId));
      const listed = failing.slice(0, maxListed);
      const runs = failedRuns(store, trial);
      const after = rewrite === null ? null : estimated(store, trial, rewrite);
      return {
        unit: 'task',
        execution: trial.execution,
        tool,
        modelName: modelLabel(trial.model),
        evaluationNumber: trial.number,
        suiteName: trial.suiteName,
        suiteId: trial.suiteId,
        failing: listed.flatMap(({ item, score }): FailingRequest[] => {
          const run = runs.get(item.position);
          const wrong = score.failures.find(
            ({ expected, called }) => expected === toolId || called === toolId,
          );
          return run === undefined
            ? []
            : [
                {
                  runId: run.runId,
                  position: item.position,
                  query: wrong?.query ?? item.query,
                  outcome: run.outcome,
                  called: wrong?.called ?? null,
                  after: after?.get(item.position) ?? null,
                },
              ];
        }),
        moreFailing: failing.length - listed.length,
        expecting: search.filter(({ item }) => item.expected.includes(toolId)).length,
        hiddenFailing: proof.filter((one) => failsAt(one, toolId)).length,
        advice: adviceForTool(
          advise({
            tools,
            failures: listed.flatMap(({ score }) => score.failures),
            openSignals,
          }),
          toolId,
        ).flatMap(withoutNames),
        parameters: [],
        plan: planOf(store, trial, toolId, search, proof),
      };
    },
    async repeat(edits, half, { planned, ...options }) {
      const items = scoredHalf(trial, half).map(({ item }) => item);
      if (items.length === 0) return null;
      trial.requireConsent(options.agreedServers);
      return trial.repeat({ changes: changesOfEdits(tools, edits), items, ...options }, planned);
    },
  };
}

/** The first failed run of each task. */
function failedRuns(
  store: Store,
  { evaluationId, model }: Trial,
): Map<number, { runId: string; outcome: FailingRequest['outcome'] }> {
  const found = new Map<number, { runId: string; outcome: FailingRequest['outcome'] }>();
  for (const run of readRunRows(store, findTaskEvaluation(store, evaluationId))) {
    const { outcome, position, runId, modelSettingsId } = run;
    const isFailed = outcome !== null && outcome !== 'succeeded' && outcome !== 'not_scored';
    if (isFailed && modelSettingsId === model.id && !found.has(position))
      found.set(position, { runId, outcome });
  }
  return found;
}

/** How each task of the search half came out with a candidate; null before its estimate. */
function estimated(
  store: Store,
  trial: Trial,
  { searchEvaluationId, search }: Rewrite,
): Map<number, FailingRequest['after']> | null {
  if (searchEvaluationId === null || search === null) return null;
  const repeated = store.taskEvaluations.get(searchEvaluationId);
  const items = repeated ? repeatedItems(trial.half('search'), repeated.settings) : [];
  return new Map(
    trial
      .repeatedScores(searchEvaluationId, items)
      .map(({ position, share }) => [
        position,
        share === null || share === 0.5 ? 'not_scored' : share > 0.5 ? 'passed' : 'failed',
      ]),
  );
}

/** Whether the tasks can prove a candidate, and what the proof will cost. */
function planOf(
  store: Store,
  { proofKeys, repetitions, perCall, callsPerRun }: Trial,
  toolId: string,
  search: readonly Scored[],
  proof: readonly Scored[],
): ProofPlan {
  const proved = store.rewrites.proved(proofKeys);
  const needed = flipsNeeded(proved + 1);
  const canFlip = proof.filter((one) => failsAt(one, toolId)).length;
  const proofRuns = proof.length * repetitions;
  const calls = proofRuns * callsPerRun;
  return {
    searchCases: search.length,
    searchPassed: search.filter((one) => !hasFailed(one)).length,
    proofCases: proof.length,
    proved,
    level: proofLevel(proved + 1),
    nextLevel: proofLevel(proved + 2),
    flipsNeeded: needed,
    canFlip,
    proofRuns,
    proofCostUsd: perCall.usd === null ? null : perCall.usd * calls,
    proofMs: Math.round(perCall.minutes * 60_000 * calls),
    // About half of new tasks fall into the proof half.
    moreCases: 2 * Math.max(0, needed - canFlip),
  };
}

/** Servers execute a tool by its name, so another one can't be tried. */
function withoutNames(piece: Advice): Advice[] {
  const edits = piece.edits.filter((edit) => edit.type !== 'text' || edit.path !== '/name');
  return edits.length === 0 ? [] : [{ ...piece, edits }];
}
