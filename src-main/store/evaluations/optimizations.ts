import { z } from 'zod';
import {
  optimizationSpend,
  optimizationStep,
  optimizationSummary,
  type OptimizationResult,
  type OptimizationSettings,
  type OptimizationSpend,
  type OptimizationState,
  type OptimizationStep,
  type OptimizationSummary,
} from '../../../src-shared/domain/optimization.ts';
import { defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';
import { lastProofRank } from './proofRanks.ts';

type NewOptimization = {
  suite: string;
  modelSettingsId: string;
  settings: OptimizationSettings;
} & Pick<OptimizationSummary, 'suiteName' | 'baseEvaluationId' | 'baseNumber' | 'modelName'>;

/**
 * One question to a model; `answer` is undefined until it is answered. `spent` may be there before:
 * what was paid until it was stopped or failed.
 */
interface StoredAnswer {
  evaluationId: string | null;
  answer: unknown;
  spent: OptimizationSpend | null;
}

export type OptimizationRow = OptimizationSummary & { suite: string };

export interface OptimizationStore {
  /** Newest first. */
  list(): OptimizationRow[];
  get(id: string): OptimizationRow | null;
  insert(one: NewOptimization): OptimizationRow;
  /** Takes the right to go on with one that was stopped; false if it is running or has ended. */
  resume(id: string): boolean;
  setState(id: string, state: OptimizationState, stopped: string | null): void;
  /** Marks what a program that is gone left running. */
  interruptRunning(): void;
  steps(id: string): OptimizationStep[];
  /** Adds a step once: a repetition of what was recorded writes nothing. */
  addStep(id: string, step: OptimizationStep): void;
  answer(id: string, position: number): StoredAnswer | null;
  spent(id: string): OptimizationSpend[];
  /** Notes the evaluation that will answer a question. */
  ask(id: string, position: number, evaluationId: string | null): void;
  setAnswer(id: string, position: number, answer: unknown, spent: OptimizationSpend): void;
  /** Keeps what a question without an answer was paid for. */
  setSpent(id: string, position: number, spent: OptimizationSpend): void;
  /** Also takes the next rank of its suite, which no other proof will get. */
  startProof(id: string, evaluationId: string, suites: readonly string[]): number;
  decide(
    id: string,
    state: 'accepted' | 'rejected' | 'cannot_tell',
    result: OptimizationResult,
  ): void;
}

const table = defineTable('optimizations', {
  id: 'text',
  suite: 'text',
  suiteName: 'text',
  baseEvaluationId: 'text',
  baseNumber: 'integer',
  modelSettingsId: 'text',
  modelName: 'text',
  settings: 'json',
  state: 'text',
  stopped: 'text?',
  proofEvaluationId: 'text?',
  proofRank: 'integer?',
  result: 'json?',
  createdAt: 'text',
  endedAt: 'text?',
});
type RowOf = Row<typeof table>;

const row = optimizationSummary.extend({ suite: z.string() });

/** Earlier versions did not count requests without an answer. */
const storedSpend = z.preprocess(
  (stored) => ({ unanswered: 0, ...(stored as object) }),
  optimizationSpend,
);

/** Optimizations with everything that they asked and learned. */
export function openOptimizations({
  db,
  clock,
  nextId,
  transaction,
}: StoreContext): OptimizationStore {
  const read = (stored: RowOf): OptimizationRow => row.parse(table.fromRow(stored));
  const list = db.prepare<[], RowOf>(
    `SELECT ${table.columns} FROM optimizations ORDER BY created_at DESC, rowid DESC`,
  );
  const one = db.prepare<[string], RowOf>(
    `SELECT ${table.columns} FROM optimizations WHERE id = ?`,
  );
  const insert = db.prepare<[RowOf]>(table.insert());
  const setState = db.prepare(
    `UPDATE optimizations SET state = @state, stopped = @stopped,
       ended_at = CASE WHEN @state = 'running' THEN NULL ELSE @at END WHERE id = @id`,
  );
  const resume = db.prepare(
    `UPDATE optimizations SET state = 'running', stopped = NULL, ended_at = NULL
     WHERE id = @id AND state IN ('paused', 'interrupted', 'failed')`,
  );
  const interrupt = db.prepare(
    "UPDATE optimizations SET state = 'interrupted' WHERE state = 'running'",
  );
  const steps = db
    .prepare<[string], string>(
      'SELECT content FROM optimization_steps WHERE optimization_id = ? ORDER BY step',
    )
    .pluck();
  const addStep = db.prepare<[string, number, string]>(
    'INSERT INTO optimization_steps (optimization_id, step, content) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const answer = db.prepare<
    [string, number],
    { evaluationId: string | null; answer: string | null; spent: string | null }
  >(
    'SELECT evaluation_id AS evaluationId, answer, spent FROM optimization_answers WHERE optimization_id = ? AND position = ?',
  );
  const spent = db
    .prepare<[string], string>(
      'SELECT spent FROM optimization_answers WHERE optimization_id = ? AND spent IS NOT NULL ORDER BY position',
    )
    .pluck();
  const ask = db.prepare<[string, number, string | null]>(
    'INSERT INTO optimization_answers (optimization_id, position, evaluation_id) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET evaluation_id = excluded.evaluation_id',
  );
  const setAnswer = db.prepare(
    'UPDATE optimization_answers SET answer = @answer, spent = @spent WHERE optimization_id = @id AND position = @position',
  );
  const setSpent = db.prepare(
    'UPDATE optimization_answers SET spent = @spent WHERE optimization_id = @id AND position = @position AND answer IS NULL',
  );
  const startProof = db.prepare(
    `UPDATE optimizations SET proof_evaluation_id = @evaluation,
       proof_rank = coalesce(proof_rank, ${lastProofRank} + 1) WHERE id = @id`,
  );
  const decide = db.prepare(
    'UPDATE optimizations SET state = @state, result = @result, ended_at = @at WHERE id = @id',
  );
  const get = (id: string): OptimizationRow | null => {
    const stored = one.get(id);
    return stored ? read(stored) : null;
  };
  return {
    list: () => list.all().map(read),
    get,
    insert: (given) =>
      transaction(() => {
        const id = nextId();
        const fresh = {
          state: 'running',
          stopped: null,
          proofEvaluationId: null,
          proofRank: null,
          result: null,
          endedAt: null,
        };
        insert.run(table.toRow({ ...given, ...fresh, id, createdAt: clock.now() }));
        const made = get(id);
        if (!made) throw new Error('The optimization that was just written is missing.');
        return made;
      }),
    resume: (id) => transaction(() => resume.run({ id }).changes === 1),
    setState: (id, state, stopped) =>
      void transaction(() => setState.run({ id, state, stopped, at: clock.now() })),
    interruptRunning: () => void transaction(() => interrupt.run()),
    steps: (id) => steps.all(id).map((text) => optimizationStep.parse(JSON.parse(text))),
    addStep: (id, step) => void transaction(() => addStep.run(id, step.step, JSON.stringify(step))),
    answer: (id, position) => {
      const stored = answer.get(id, position);
      if (!stored) return null;
      return {
        evaluationId: stored.evaluationId,
        answer: stored.answer === null ? undefined : JSON.parse(stored.answer),
        spent: stored.spent === null ? null : storedSpend.parse(JSON.parse(stored.spent)),
      };
    },
    spent: (id) => spent.all(id).map((text) => storedSpend.parse(JSON.parse(text))),
    ask: (id, position, evaluation) => void transaction(() => ask.run(id, position, evaluation)),
    setAnswer: (id, position, given, cost) =>
      void transaction(() =>
        setAnswer.run({
          id,
          position,
          answer: JSON.stringify(given),
          spent: JSON.stringify(cost),
        }),
      ),
    setSpent: (id, position, cost) =>
      void transaction(() => setSpent.run({ id, position, spent: JSON.stringify(cost) })),
    startProof: (id, evaluation, suites) =>
      transaction(() => {
        startProof.run({ id, evaluation, suites: JSON.stringify(suites) });
        return get(id)?.proofRank ?? 1;
      }),
    decide: (id, state, result) =>
      void transaction(() =>
        decide.run({ id, state, result: JSON.stringify(result), at: clock.now() }),
      ),
  };
}
