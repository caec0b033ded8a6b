import type { ComparedSide, PassedWhen } from '../../../src-shared/domain/comparison.ts';
import type { RunDifference } from '../../../src-shared/domain/callDifference.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { ExecutionMode } from '../../../src-shared/domain/task.ts';
import type { Conditions } from '../runs/conditions.ts';
import type { CaseIdentity } from './pairCases.ts';

export interface SideItem extends CaseIdentity {
  /** The hash of what it asks. */
  content: string;
}

/** The runs of an item that are scored, and those of them that passed or succeeded. */
export interface Tally {
  scored: number;
  right: number;
}

export interface AskedModel {
  provider: string;
  model: string;
}

/** What decides whether two results can be compared at all. */
export interface Terms {
  unit: EvaluationUnit;
  /** What the runs of tasks may execute; null for cases. */
  mode: ExecutionMode | null;
  /** The model that plays simulated users; null: none. */
  user: string | null;
}

/**
 * The result of one model in an evaluation of cases or tasks, or of all models of a report: one side
 * of a comparison, wherever it was read from.
 */
export interface Side extends Terms {
  /** What people call it. */
  name: string;
  shown: ComparedSide;
  /** Null: all models together. */
  model: AskedModel | null;
  /** What else may explain a difference. */
  conditions: Conditions;
  /** How many tools its client hides and cuts; null: not known. Asked only where clients differ. */
  lost: () => { hidden: number; cut: number } | null;
  /** The evaluation that this is a what-if of; null: none, or not known. */
  baseId: string | null;
  /** Hashes of the frozen tools by their ids. */
  tools: () => ReadonlyMap<string, string>;
  items: readonly SideItem[];
  /** A what-if gave tools other names: equal questions may have other contents. */
  isRenamed: boolean;
  /** Equal texts are the same question, also where a what-if renamed its tools. */
  question: (item: SideItem) => string;
  tally: (item: SideItem, when: PassedWhen) => Tally;
  /** The first scored run with this outcome; where there is none, the first scored one, or any. */
  glance: (
    item: SideItem,
    passed: boolean,
    when: PassedWhen,
  ) => { runId: string; selected: string[] } | null;
  describe: (item: SideItem) => { name: string; query: string };
  /** What is wrong with a run of the item: its calls, or what the checks of a task found. */
  differences: (item: SideItem, runId: string) => RunDifference[];
}

/** Calls that the scored runs of one item should have made of one tool, or of its alternatives. */
export interface CallTally {
  tools: readonly string[];
  expected: number;
  made: number;
}

export interface ProofSide extends Pick<Side, 'items' | 'tally'> {
  /** What counts as passed in its evaluation. */
  passedWhen: PassedWhen;
  /** `expected` are the tools that the item should call, where its runs don't say it. */
  calls: (item: SideItem, expected: readonly string[]) => readonly CallTally[];
}

/** The run that stands for an item: scored ones first, and of them those with the wanted outcome. */
export function firstRun<Run extends { repetition: number }>(
  runs: readonly Run[],
  hasPassed: (run: Run) => boolean | null,
  wanted: boolean,
): Run | undefined {
  const rank = (run: Run): number => {
    const passed = hasPassed(run);
    return passed === null ? 2 : passed === wanted ? 0 : 1;
  };
  return runs.toSorted((a, b) => rank(a) - rank(b) || a.repetition - b.repetition)[0];
}

export const evaluationName = (unit: EvaluationUnit, number: number): string =>
  `${unit === 'task' ? 'Task evaluation' : 'Evaluation'} #${number}`;

/** A replay counts as the model that was recorded, whatever its provider. */
export function modelsDiffer(a: AskedModel, b: AskedModel): boolean {
  if (a.model !== b.model) return true;
  return a.provider !== b.provider && a.provider !== 'replay' && b.provider !== 'replay';
}
