import type { TrajectoryStep } from '../../../src-shared/domain/task.ts';
import type {
  StepRelation,
  TrajectoryAlignment,
} from '../../../src-shared/domain/taskEvaluation.ts';
import { callKey } from './loopGuard.ts';

type Row = TrajectoryAlignment['rows'][number];

/** A step as the alignment sees it: its tools, and its calls with their arguments. */
interface StepKey {
  tools: string;
  calls: string;
}

function keyOf({ calls }: TrajectoryStep): StepKey {
  return {
    tools: JSON.stringify(calls.map(({ server, name }) => [server, name])),
    calls: JSON.stringify(calls.map(callKey)),
  };
}

const answers = ({ tools }: StepKey): boolean => tools === '[]';

function relationOf(run: StepKey, reference: StepKey): StepRelation {
  if (run.calls === reference.calls) return 'same';
  return run.tools === reference.tools ? 'arguments' : 'tools';
}

/** What a pair adds to the score of an alignment; a step without a partner adds nothing. */
const gains: Readonly<Record<StepRelation, number>> = {
  same: 4,
  arguments: 3,
  tools: 1,
  run_only: 0,
  reference_only: 0,
};

/** An answer never stands for a call. */
function gainOf(run: StepKey, reference: StepKey): number {
  return answers(run) === answers(reference) ? gains[relationOf(run, reference)] : -1;
}

/** The indexes of the steps that answer a user turn. */
const indexesOf = (steps: readonly TrajectoryStep[], turn: number): number[] =>
  steps.flatMap((step, index) => (step.turn === turn ? [index] : []));

/**
 * The steps of two runs of a task side by side. Within each user turn, it is the alignment with the
 * highest sum of gains over its pairs (4: equal tools and arguments, or both answer; 3: equal tools;
 * 1: other tools), by dynamic programming (Needleman and Wunsch 1970, without a gap penalty). Of
 * equal alignments, it pairs the earliest steps. The words of an answer are not compared. O(n·m) time
 * and memory per turn; a run has at most 1,000 steps.
 */
export function alignTrajectories(
  run: readonly TrajectoryStep[],
  reference: readonly TrajectoryStep[],
): TrajectoryAlignment {
  const turns = Math.max(-1, ...[...run, ...reference].map(({ turn }) => turn)) + 1;
  const keys = { run: run.map(keyOf), reference: reference.map(keyOf) };
  const rows = Array.from({ length: turns }, (_, turn) =>
    alignTurn(turn, indexesOf(run, turn), indexesOf(reference, turn), keys),
  ).flat();
  const first = rows.findIndex(({ relation }) => relation !== 'same');
  return { rows, first: first < 0 ? null : first };
}

function alignTurn(
  turn: number,
  own: readonly number[],
  other: readonly number[],
  keys: { run: readonly StepKey[]; reference: readonly StepKey[] },
): Row[] {
  const none: StepKey = { tools: '', calls: '' };
  const pair = (i: number, j: number): [StepKey, StepKey] => [
    keys.run[own[i] ?? -1] ?? none,
    keys.reference[other[j] ?? -1] ?? none,
  ];
  // best[i][j]: the highest sum over the steps from i and from j on.
  const width = other.length + 1;
  const best = new Int32Array((own.length + 1) * width);
  const at = (i: number, j: number): number => best[i * width + j] ?? 0;
  const paired = (i: number, j: number): number => gainOf(...pair(i, j)) + at(i + 1, j + 1);
  for (let i = own.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      best[i * width + j] = Math.max(paired(i, j), at(i + 1, j), at(i, j + 1));
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (i < own.length || j < other.length) {
    const [step, twin] = [own[i] ?? null, other[j] ?? null];
    if (step !== null && twin !== null && paired(i, j) === at(i, j)) {
      rows.push({ relation: relationOf(...pair(i, j)), turn, run: step, reference: twin });
      i += 1;
      j += 1;
    } else if (step !== null && (twin === null || at(i + 1, j) === at(i, j))) {
      rows.push({ relation: 'run_only', turn, run: step, reference: null });
      i += 1;
    } else {
      rows.push({ relation: 'reference_only', turn, run: null, reference: twin });
      j += 1;
    }
  }
  return rows;
}
