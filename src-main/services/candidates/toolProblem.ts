import type { Advice } from '../../../src-shared/domain/advice.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type {
  FailingRequest,
  ProofPlan,
  ToolProblem,
} from '../../../src-shared/domain/candidate.ts';
import { toolId as idOf } from '../../../src-shared/domain/labels.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import { flipsNeeded, proofLevel } from '../../../src-shared/metrics/candidateProof.ts';
import { advise } from '../../analysis/advice/advise.ts';
import { missingText, toBeWritten } from '../../analysis/advice/misplaced.ts';
import type { StoredCandidate } from '../../store/evaluations/candidates.ts';
import type { Store } from '../../store/store.ts';
import { earlierTexts } from './earlierTexts.ts';
import { decidedHalf, type Decided, type Trial } from '../trials/trial.ts';

/** More than a person reads while editing one tool. */
const maxListed = 100;
const maxElsewhere = 3;

/**
 * The failures of a tool in the search half with advice, and what the proof half can decide. Advice
 * is made from the search half alone: what was written for an item can't be proved by it.
 * @param openSignals tools that nothing is advised toward
 */
export function readToolProblem(
  store: Store,
  trial: Trial,
  tool: SnapshotTool,
  toolId: string,
  candidate: StoredCandidate | null,
  openSignals: ReadonlySet<string>,
): ToolProblem {
  const [search, proof] = [decidedHalf(trial, 'search'), decidedHalf(trial, 'proof')];
  const failsHere = ({ failed, item, score }: Decided): boolean =>
    failed && trial.failedAt(item, score).has(toolId);
  const failing = search.filter(failsHere);
  const listed = failing.slice(0, maxListed);
  const after = candidate === null ? null : estimated(trial, candidate);
  // A request that fails in each repetition is one failure to advise on.
  const failures = new Map(
    listed.flatMap(({ score }) => score.failures).map((one) => [JSON.stringify(one), one]),
  );
  return {
    unit: trial.unit,
    execution: trial.execution,
    tool,
    modelName: modelLabel(trial.model),
    evaluationNumber: trial.number,
    suiteName: trial.suiteName,
    suiteId: trial.suiteId,
    failing: listed.flatMap(({ item: { position, query }, score }): FailingRequest[] => {
      const run = trial.failedRun(position);
      const wrong = score.failures.find(
        ({ expected, called }) => expected === toolId || called === toolId,
      );
      return run === null
        ? []
        : [
            {
              ...{ ...run, position, query: wrong?.query ?? query },
              called: (wrong ?? score.failures[0])?.called ?? null,
              after: after?.get(position) ?? null,
            },
          ];
    }),
    moreFailing: failing.length - listed.length,
    expecting: search.filter(({ item }) => item.expected.includes(toolId)).length,
    hiddenFailing: proof.filter(failsHere).length,
    elsewhere: failing.length === 0 ? failingTools(trial, search) : [],
    advice: adviceForTool(
      advise({
        tools: [...trial.tools],
        failures: [...failures.values()],
        focus: [toolId],
        earlier: earlierTexts(store, trial.tools),
        openSignals,
      }),
      toolId,
    ).flatMap((piece) => (trial.unit === 'task' ? withoutNames(piece) : [piece])),
    missingText: missingText(tool, trial.tools),
    toWrite: toBeWritten(tool, trial.tools),
    parameters: trial.parameters(toolId),
    plan: planProof(store, trial, { search, proof, canFlip: proof.filter(failsHere).length }),
  };
}

/** The tools with failures that a person may see, those with the most first. */
function failingTools(trial: Trial, search: readonly Decided[]): ToolProblem['elsewhere'] {
  const counts = new Map(trial.tools.map(({ server, name }) => [idOf(server, name), 0]));
  for (const { item, score } of search.filter(({ failed }) => failed))
    for (const id of trial.failedAt(item, score)) {
      const known = counts.get(id);
      if (known !== undefined) counts.set(id, known + 1);
    }
  return [...counts]
    .flatMap(([toolId, failing]) => (failing === 0 ? [] : [{ toolId, failing }]))
    .sort((a, b) => b.failing - a.failing || (a.toolId < b.toolId ? -1 : 1))
    .slice(0, maxElsewhere);
}

/** How each item of the search half came out with a candidate; null before its estimate. */
function estimated(
  trial: Trial,
  { searchEvaluationId, search }: StoredCandidate,
): Map<number, FailingRequest['after']> | null {
  const repeated = searchEvaluationId === null ? null : trial.repeated(searchEvaluationId);
  if (searchEvaluationId === null || search === null || repeated === null) return null;
  const items = trial.half('search').filter(({ position }) => repeated.positions.has(position));
  return new Map(
    trial
      .repeatedScores(searchEvaluationId, items)
      .map(({ position, share }) => [
        position,
        share === null || share === 0.5 ? 'not_scored' : share > 0.5 ? 'passed' : 'failed',
      ]),
  );
}

/** Whether the items can prove a candidate, and what the proof will cost. */
function planProof(
  store: Store,
  trial: Trial,
  {
    search,
    proof,
    canFlip,
  }: { search: readonly Decided[]; proof: readonly Decided[]; canFlip: number },
): ProofPlan {
  const proved = store.candidates.proved(trial.proofKeys);
  const needed = flipsNeeded(proved + 1);
  const { usd, ms } = trial.used(proof.map(({ score }) => score));
  return {
    searchCases: search.length,
    searchPassed: search.filter(({ failed }) => !failed).length,
    proofCases: proof.length,
    proved,
    level: proofLevel(proved + 1),
    nextLevel: proofLevel(proved + 2),
    flipsNeeded: needed,
    canFlip,
    proofRuns: proof.length * trial.repetitions,
    proofCostUsd: usd,
    proofMs: Math.round(ms),
    // About half of new items fall into the proof half.
    moreCases: 2 * Math.max(0, needed - canFlip),
  };
}

/** The author's own text comes first, then that of another tool, then what could be added to a text. */
const rank: Partial<Record<Advice['kind'], number>> = { restore: 3, exchange: 2 };

/**
 * The advice that concerns a tool: what changes the tool itself comes first, and words are added
 * once, for the cause with the most requests.
 */
function adviceForTool(advice: readonly Advice[], toolId: string): Advice[] {
  const own = ({ kind, edits }: Advice): number =>
    edits.some((edit) => edit.toolId === toolId) ? (rank[kind] ?? 1) : 0;
  const sorted = advice
    .filter(({ toolIds }) => toolIds.includes(toolId))
    .sort((a, b) => own(b) - own(a) || b.evidence.requests.length - a.evidence.requests.length);
  const words = sorted.find(({ kind }) => kind === 'missing_words');
  return sorted.filter((piece) => piece.kind !== 'missing_words' || piece === words);
}

/** Servers execute a tool by its name, so another one can't be tried. */
function withoutNames(piece: Advice): Advice[] {
  const edits = piece.edits.filter((edit) => edit.type !== 'text' || edit.path !== '/name');
  return edits.length === 0 ? [] : [{ ...piece, edits }];
}
