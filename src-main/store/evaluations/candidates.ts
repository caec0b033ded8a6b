import {
  proofResult,
  candidate,
  searchResult,
  type ProofResult,
  type Candidate,
  type SearchResult,
} from '../../../src-shared/domain/candidate.ts';
import { defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';
import { lastProofRank } from './proofRanks.ts';

/**
 * What a candidate is created from; everything else starts empty. `suite` is what the suite is known
 * by, whose cases it is tried on.
 */
type NewCandidate = { suite: string } & Pick<
  Candidate,
  | 'unit'
  | 'baseEvaluationId'
  | 'baseNumber'
  | 'modelSettingsId'
  | 'modelName'
  | 'toolId'
  | 'source'
  | 'edits'
>;

/** A step of a candidate that is under way. */
export type CandidateStep = 'search' | 'proof';

/** Each method that starts or ends a step also sets the state of the candidate. */
export interface CandidateStore {
  /** Those of an evaluation, or all with null. Newest first, without those that were put away. */
  list(evaluationId: string | null): Candidate[];
  get(id: string): Candidate | null;
  insert(one: NewCandidate): Candidate;
  /** Those whose search or proof is an evaluation that has not been counted yet. */
  waitingFor(evaluationId: string): Candidate[];
  /** Those whose search or proof has not been counted yet. */
  underWay(): Candidate[];
  /**
   * Takes the right to start a step; false if it, or another one, is under way, or if the proof was
   * spent. What takes it starts the evaluation, or gives it back.
   */
  claim(id: string, step: CandidateStep): boolean;
  /** Gives a claim back whose evaluation never began. */
  release(before: Pick<Candidate, 'id' | 'state' | 'searchEvaluationId'>): void;
  /** Gives back the claims of programs that ended before their evaluation began. */
  releaseAll(): void;
  startSearch(id: string, evaluationId: string): void;
  /** Does nothing if the search was counted before. */
  endSearch(id: string, evaluationId: string, result: SearchResult): void;
  /** Also takes the next rank of its suite, which no other proof will get. */
  startProof(id: string, evaluationId: string, suites: readonly string[]): void;
  /** How many candidates have taken a rank on the cases of a suite. */
  proved(suites: readonly string[]): number;
  rename(id: string, name: string): void;
  /** Puts a candidate away, or takes it back. Its proof counts all the same. */
  setDeleted(id: string, deleted: boolean): void;
  decide(id: string, state: 'accepted' | 'rejected' | 'cannot_tell', result: ProofResult): void;
}

const table = defineTable('candidates', {
  id: 'text',
  unit: 'text',
  baseEvaluationId: 'text',
  baseNumber: 'integer',
  modelSettingsId: 'text',
  modelName: 'text',
  toolId: 'text',
  source: 'text',
  name: 'text',
  edits: 'json',
  state: 'text',
  searchEvaluationId: 'text?',
  proofEvaluationId: 'text?',
  proofRank: 'integer?',
  suite: 'text',
  search: 'json?',
  proof: 'json?',
  createdAt: 'text',
  decidedAt: 'text?',
  deletedAt: 'text?',
});
type CandidateRow = Row<typeof table>;

/** A result that can't be read counts as none; the candidate itself stays readable. */
function readCandidate(row: CandidateRow): Candidate {
  const value = table.fromRow(row);
  return candidate.parse({
    ...value,
    search: searchResult.nullable().catch(null).parse(value.search),
    proof: proofResult.nullable().catch(null).parse(value.proof),
    stopped: null,
  });
}

/**
 * Candidates for better texts with their results. None is ever removed: those that were proved count
 * among those that were tried, also if they are put away.
 */
export function openCandidates({ db, clock, nextId, transaction }: StoreContext): CandidateStore {
  const list = db.prepare<[{ evaluation: string | null }], CandidateRow>(
    `SELECT ${table.columns} FROM candidates WHERE deleted_at IS NULL AND (@evaluation IS NULL OR base_evaluation_id = @evaluation) ORDER BY created_at DESC, id`,
  );
  const one = db.prepare<[string], CandidateRow>(
    `SELECT ${table.columns} FROM candidates WHERE id = ?`,
  );
  const insert = db.prepare<[CandidateRow]>(table.insert());
  const update = (set: string) => db.prepare(`UPDATE candidates SET ${set} WHERE id = @id`);
  const underWay = db.prepare<[{ evaluation: string | null }], CandidateRow>(
    `SELECT ${table.columns} FROM candidates
     WHERE (state = 'searching' AND search_evaluation_id = coalesce(@evaluation, search_evaluation_id))
        OR (state = 'proving' AND proof_evaluation_id = coalesce(@evaluation, proof_evaluation_id))`,
  );
  const claimable = "id = @id AND state IN ('draft', 'searched') AND proof_evaluation_id IS NULL";
  const claims = {
    search: db.prepare(
      `UPDATE candidates SET state = 'searching', search_evaluation_id = NULL WHERE ${claimable}`,
    ),
    proof: db.prepare(`UPDATE candidates SET state = 'proving' WHERE ${claimable}`),
  };
  const isClaimed = `((state = 'searching' AND search_evaluation_id IS NULL)
     OR (state = 'proving' AND proof_evaluation_id IS NULL))`;
  const release = db.prepare(
    `UPDATE candidates SET state = @state, search_evaluation_id = @searchEvaluationId
     WHERE id = @id AND ${isClaimed}`,
  );
  const releaseAll = db.prepare(
    `UPDATE candidates SET state = CASE WHEN search IS NULL THEN 'draft' ELSE 'searched' END
     WHERE ${isClaimed}`,
  );
  const startSearch = update("state = 'searching', search_evaluation_id = @evaluation");
  const endSearch = db.prepare(
    `UPDATE candidates SET state = 'searched', search = @result
     WHERE id = @id AND state = 'searching' AND search_evaluation_id = @evaluation`,
  );
  const startProof = update(
    `state = 'proving', proof_evaluation_id = @evaluation, proof_rank = ${lastProofRank} + 1`,
  );
  const proved = db.prepare<[{ suites: string }], number>(`SELECT ${lastProofRank}`).pluck();
  const count = db
    .prepare<[string, string], number>(
      'SELECT count(*) FROM candidates WHERE suite = ? AND tool_id = ?',
    )
    .pluck();
  const rename = update('name = @name');
  const setDeleted = update('deleted_at = @at');
  const decide = db.prepare(
    `UPDATE candidates SET state = @state, proof = @result, decided_at = @at
     WHERE id = @id AND state = 'proving'`,
  );
  const get = (id: string): Candidate | null => {
    const row = one.get(id);
    return row ? readCandidate(row) : null;
  };
  return {
    list: (evaluation) => list.all({ evaluation }).map(readCandidate),
    get,
    insert: (given) =>
      transaction(() => {
        const id = nextId();
        const fresh = {
          state: 'draft',
          searchEvaluationId: null,
          proofEvaluationId: null,
          proofRank: null,
          search: null,
          proof: null,
          decidedAt: null,
          deletedAt: null,
          name: `Candidate ${(count.get(given.suite, given.toolId) ?? 0) + 1}`,
        };
        insert.run(table.toRow({ ...given, ...fresh, id, createdAt: clock.now() }));
        const made = get(id);
        if (!made) throw new Error('The candidate that was just written is missing.');
        return made;
      }),
    waitingFor: (evaluation) => underWay.all({ evaluation }).map(readCandidate),
    underWay: () => underWay.all({ evaluation: null }).map(readCandidate),
    claim: (id, step) => transaction(() => claims[step].run({ id }).changes === 1),
    release: ({ id, state, searchEvaluationId }) =>
      void transaction(() => release.run({ id, state, searchEvaluationId })),
    releaseAll: () => void transaction(() => releaseAll.run()),
    startSearch: (id, evaluation) => void transaction(() => startSearch.run({ id, evaluation })),
    endSearch: (id, evaluation, result) =>
      void transaction(() => endSearch.run({ id, evaluation, result: JSON.stringify(result) })),
    startProof: (id, evaluation, suites) =>
      void transaction(() => startProof.run({ id, evaluation, suites: JSON.stringify(suites) })),
    proved: (suites) => proved.get({ suites: JSON.stringify(suites) }) ?? 0,
    rename: (id, name) => void transaction(() => rename.run({ id, name })),
    setDeleted: (id, deleted) =>
      void transaction(() => setDeleted.run({ id, at: deleted ? clock.now() : null })),
    decide: (id, state, result) =>
      void transaction(() =>
        decide.run({ id, state, result: JSON.stringify(result), at: clock.now() }),
      ),
  };
}
