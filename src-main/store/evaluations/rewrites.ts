import {
  proofResult,
  rewrite,
  searchResult,
  type ProofResult,
  type Rewrite,
  type SearchResult,
} from '../../../src-shared/domain/rewrite.ts';
import type { StoreContext } from '../storeContext.ts';

interface Row {
  [column: string]: string | number | null;
}

export type NewRewrite = Pick<
  Rewrite,
  | 'baseEvaluationId'
  | 'baseNumber'
  | 'modelSettingsId'
  | 'modelName'
  | 'toolId'
  | 'source'
  | 'descriptionBefore'
  | 'description'
>;

export interface RewriteStore {
  list(evaluationId: string | null): Rewrite[];
  get(id: string): Rewrite | null;
  insert(one: NewRewrite): Rewrite;
  startSearch(id: string, evaluationId: string): void;
  endSearch(id: string, result: SearchResult): void;
  startProof(id: string, evaluationId: string): void;
  decide(id: string, state: 'accepted' | 'rejected' | 'cannot_tell', result: ProofResult): void;
}

const columns = `id, base_evaluation_id AS baseEvaluationId, base_number AS baseNumber, model_settings_id AS modelSettingsId, model_name AS modelName, tool_id AS toolId, source,
  description_before AS descriptionBefore, description, state, search_evaluation_id AS searchEvaluationId, proof_evaluation_id AS proofEvaluationId, search, proof,
  created_at AS createdAt, decided_at AS decidedAt`;

const parsed = (value: string | number | null | undefined): unknown =>
  typeof value === 'string' ? JSON.parse(value) : null;
const toRewrite = (row: Row): Rewrite =>
  rewrite.parse({
    ...row,
    search: searchResult.nullable().catch(null).parse(parsed(row['search'])),
    proof: proofResult.nullable().catch(null).parse(parsed(row['proof'])),
    stopped: null,
  });

/**
 * Candidates for other descriptions, with what was found out about them. None is ever removed:
 * rejected ones count among those that were tried.
 */
export function openRewrites({ db, clock, nextId, transaction }: StoreContext): RewriteStore {
  const list = db.prepare<[{ evaluation: string | null }], Row>(
    `SELECT ${columns} FROM rewrites WHERE @evaluation IS NULL OR base_evaluation_id = @evaluation ORDER BY created_at DESC, id`,
  );
  const one = db.prepare<[string], Row>(`SELECT ${columns} FROM rewrites WHERE id = ?`);
  const insert = db.prepare(
    `INSERT INTO rewrites (id, base_evaluation_id, base_number, model_settings_id, model_name, tool_id, source, description_before, description, state, created_at)
     VALUES (@id, @baseEvaluationId, @baseNumber, @modelSettingsId, @modelName, @toolId, @source, @descriptionBefore, @description, 'draft', @createdAt)`,
  );
  const update = (set: string) => db.prepare(`UPDATE rewrites SET ${set} WHERE id = @id`);
  const startSearch = update("state = 'searching', search_evaluation_id = @evaluation");
  const endSearch = update("state = 'searched', search = @result");
  const startProof = update("state = 'proving', proof_evaluation_id = @evaluation");
  const decide = update('state = @state, proof = @result, decided_at = @at');
  const get = (id: string): Rewrite | null => {
    const row = one.get(id);
    return row ? toRewrite(row) : null;
  };
  return {
    list: (evaluation) => list.all({ evaluation }).map(toRewrite),
    get,
    insert: (given) =>
      transaction(() => {
        const id = nextId();
        insert.run({ ...given, id, createdAt: clock.now() });
        const made = get(id);
        if (!made) throw new Error('The candidate that was just written is not there.');
        return made;
      }),
    startSearch: (id, evaluation) => void transaction(() => startSearch.run({ id, evaluation })),
    endSearch: (id, result) =>
      void transaction(() => endSearch.run({ id, result: JSON.stringify(result) })),
    startProof: (id, evaluation) => void transaction(() => startProof.run({ id, evaluation })),
    decide: (id, state, result) =>
      void transaction(() =>
        decide.run({ id, state, result: JSON.stringify(result), at: clock.now() }),
      ),
  };
}
