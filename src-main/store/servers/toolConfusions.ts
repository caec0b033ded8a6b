import { isOriginal } from '../evaluations/origins.ts';
import type { StoreContext } from '../storeContext.ts';

interface ConfusedCase {
  evaluationId: string;
  evaluationNumber: number;
  runId: string;
  query: string;
  expected: string;
  selected: string;
  createdAt: string;
}

const from = `FROM confusion_units u JOIN runs r ON r.id = u.test_run_id JOIN evaluations e ON e.id = r.evaluation_id
  WHERE r.is_current = 1 AND e.deleted_at IS NULL AND ${isOriginal} AND ((u.expected = @a AND u.selected = @b) OR (u.expected = @b AND u.selected = @a))`;

export function openToolConfusions({ db }: StoreContext) {
  const list = db.prepare<[{ a: string; b: string; limit: number }], ConfusedCase>(
    `SELECT e.id AS evaluationId, e.number AS evaluationNumber, r.id AS runId, u.expected, u.selected, r.created_at AS createdAt,
       coalesce((SELECT json_extract(c.content, '$.query') FROM entries k JOIN entry_contents c ON c.hash = k.content_hash WHERE k.evaluation_id = e.id AND k.position = r.position), '') AS query
     ${from} ORDER BY e.number DESC, r.position LIMIT @limit`,
  );
  const count = db.prepare<[{ a: string; b: string }], number>(`SELECT count(*) ${from}`).pluck();
  const all = db.prepare<[], { expected: string; selected: string; n: number }>(
    `SELECT u.expected, u.selected, count(*) AS n FROM confusion_units u JOIN runs r ON r.id = u.test_run_id JOIN evaluations e ON e.id = r.evaluation_id
     WHERE r.is_current = 1 AND e.deleted_at IS NULL AND ${isOriginal} AND u.expected <> u.selected GROUP BY u.expected, u.selected`,
  );
  const units = db.prepare<
    [string, string],
    { position: number; expected: string; selected: string }
  >(
    `SELECT r.position, u.expected, u.selected FROM runs r JOIN confusion_units u ON u.test_run_id = r.id
     WHERE r.evaluation_id = ? AND r.model_settings_id = ? AND r.is_current = 1 AND r.status = 'completed' ORDER BY r.position, u.unit`,
  );
  return {
    /** How many calls chose one of two tools where the other was expected, by their ids; as above. */
    counts(): {
      between: (a: string, b: string) => number;
      /** Whether the tool was confused with any other. */
      has: (toolId: string) => boolean;
    } {
      const counts = new Map<string, number>();
      // No tool id contains a line end.
      const key = (a: string, b: string): string => (a < b ? `${a}\n${b}` : `${b}\n${a}`);
      for (const { expected, selected, n } of all.all())
        counts.set(key(expected, selected), (counts.get(key(expected, selected)) ?? 0) + n);
      const tools = new Set([...counts.keys()].flatMap((pair) => pair.split('\n')));
      return {
        between: (a, b) => counts.get(key(a, b)) ?? 0,
        has: (toolId) => tools.has(toolId),
      };
    },
    /**
     * Every cell that the scored runs of one model add to the matrix, with the position of the case.
     */
    units: (
      evaluationId: string,
      modelSettingsId: string,
    ): { position: number; expected: string; selected: string }[] =>
      units.all(evaluationId, modelSettingsId),
    /**
     * Runs that expected one of two tools and called the other, newest first. Derived evaluations
     * don't count: an estimate or a proof asks about other texts.
     */
    between: (a: string, b: string, limit: number): { cases: ConfusedCase[]; total: number } => ({
      cases: list.all({ a, b, limit }),
      total: count.get({ a, b }) ?? 0,
    }),
  };
}
