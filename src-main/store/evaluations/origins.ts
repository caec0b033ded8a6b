import { z } from 'zod';
import { originKind, type EvaluationOrigin } from '../../../src-shared/domain/evaluationOrigin.ts';

/** SQL: true for an evaluation `e` that repeats cases of a check that disagree with its baseline. */
export const asksAgain = "e.settings ->> '$.firstRepetition' > 1";

/**
 * The kind of origin of an evaluation `e`, as SQL. This is the one place that decides what counts
 * as derived: every list, trend and metric asks here.
 */
const kind = `CASE
  WHEN e.settings ->> '$.whatIf' IS NOT NULL THEN CASE
    WHEN EXISTS (SELECT 1 FROM optimization_answers a WHERE a.evaluation_id = e.id) THEN 'optimizer_step'
    WHEN ${asksAgain} THEN 'asked_again'
    WHEN e.settings ->> '$.whatIf.positions' IS NULL THEN 'what_if'
    WHEN json_array_length(e.settings, '$.whatIf.changes') = 0 THEN 'case_rerun'
    ELSE 'proof_half' END
  WHEN EXISTS (SELECT 1 FROM frontier_points p WHERE p.evaluation_id = e.id) THEN 'accuracy_step'
  END`;

/** True for evaluations that a person started for their own sake. */
export const isOriginal = `(${kind}) IS NULL`;

/**
 * SQL: true for an evaluation `e` of all cases or tasks. Those of some are steps of an optimization
 * and estimates and proofs of a fix; what started them leads to them.
 */
export const isWhole = "e.settings ->> '$.whatIf.positions' IS NULL";

/**
 * Steps of accuracy vs. tokens belong to the step that shows every tool, which the others are
 * compared with, or else to the first one.
 */
const base = `(SELECT json_object('id', b.id, 'number', b.number) FROM evaluations b
  WHERE b.deleted_at IS NULL AND b.id <> e.id AND b.id = coalesce(
    e.settings ->> '$.whatIf.baseId',
    (SELECT q.evaluation_id FROM frontier_points p
     JOIN frontier_points q ON q.frontier_id = p.frontier_id
     JOIN evaluations o ON o.id = q.evaluation_id AND o.deleted_at IS NULL
     WHERE p.evaluation_id = e.id ORDER BY q.k IS NOT NULL, q.position LIMIT 1)))`;

/** The origin of an evaluation `e` as one JSON column. */
export const originColumn = `CASE WHEN ${isOriginal} THEN NULL
  ELSE json_object('kind', ${kind}, 'base', json(${base})) END AS origin`;

const stored = z.object({
  kind: originKind,
  base: z.object({ id: z.string(), number: z.number().int() }).nullable(),
});

/** Reads what `originColumn` gives. */
export function readOrigin(column: string | null): EvaluationOrigin | null {
  if (column === null) return null;
  const { kind: what, base: belongsTo } = stored.parse(JSON.parse(column));
  return {
    kind: what,
    evaluationId: belongsTo?.id ?? null,
    number: belongsTo?.number ?? null,
  };
}
