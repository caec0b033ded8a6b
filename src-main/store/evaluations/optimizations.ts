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

export function openOptimizations({ db, clock, nextId, transaction }: StoreContext) {
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
    /** Newest first. */
    list: (): OptimizationRow[] => list.all().map(read),
    get,
    insert: (given: NewOptimization): OptimizationRow =>
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
    /** Takes the right to go on with one that was stopped; false if it is running or has ended. */
    resume: (id: string): boolean => transaction(() => resume.run({ id }).changes === 1),
    setState: (id: string, state: OptimizationState, stopped: string | null): void =>
      void transaction(() => setState.run({ id, state, stopped, at: clock.now() })),
    /** Marks what a program that is gone left running. */
    interruptRunning: (): void => void transaction(() => interrupt.run()),
    steps: (id: string): OptimizationStep[] =>
      steps.all(id).map((text) => optimizationStep.parse(JSON.parse(text))),
    /** Adds a step once: a repetition of what was recorded writes nothing. */
    addStep: (id: string, step: OptimizationStep): void =>
      void transaction(() => addStep.run(id, step.step, JSON.stringify(step))),
    answer: (id: string, position: number): StoredAnswer | null => {
      const stored = answer.get(id, position);
      if (!stored) return null;
      return {
        evaluationId: stored.evaluationId,
        answer: stored.answer === null ? undefined : JSON.parse(stored.answer),
        spent: stored.spent === null ? null : optimizationSpend.parse(JSON.parse(stored.spent)),
      };
    },
    spent: (id: string): OptimizationSpend[] =>
      spent.all(id).map((text) => optimizationSpend.parse(JSON.parse(text))),
    ask: (id: string, position: number, evaluation: string | null): void =>
      void transaction(() => ask.run(id, position, evaluation)),
    setAnswer: (id: string, position: number, given: unknown, cost: OptimizationSpend): void =>
      void transaction(() =>
        setAnswer.run({
          id,
          position,
          answer: JSON.stringify(given),
          spent: JSON.stringify(cost),
        }),
      ),
    /** Keeps what a question without an answer was paid for. */
    setSpent: (id: string, position: number, cost: OptimizationSpend): void =>
      void transaction(() => setSpent.run({ id, position, spent: JSON.stringify(cost) })),
    /** Also takes the next rank of its suite, which no other proof will get. */
    startProof: (id: string, evaluation: string, suites: readonly string[]): number =>
      transaction(() => {
        startProof.run({ id, evaluation, suites: JSON.stringify(suites) });
        return get(id)?.proofRank ?? 1;
      }),
    decide: (
      id: string,
      state: 'accepted' | 'rejected' | 'cannot_tell',
      result: OptimizationResult,
    ): void =>
      void transaction(() =>
        decide.run({ id, state, result: JSON.stringify(result), at: clock.now() }),
      ),
  };
}
