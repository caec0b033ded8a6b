import type { EvaluationSummary } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import type { EvaluationReader } from './evaluationReader.ts';
import { summaryArithmetic } from './summariseEvaluation.ts';

interface SummaryParts {
  store: Store;
  reader: EvaluationReader;
  /** False once the database is about to be closed. */
  mayWrite: () => boolean;
}

/**
 * Summaries, each made once: kept once an evaluation has ended. Whatever changes a number leaves an
 * event: the same last event is the same summary.
 */
export class EvaluationSummaries {
  readonly #parts: SummaryParts;
  /** Those that are being made: who asks for the same one waits for it. */
  readonly #made = new Map<string, Promise<EvaluationSummary>>();

  constructor(parts: SummaryParts) {
    this.#parts = parts;
  }

  of(row: EvaluationRow, modelSettingsId: string | null): Promise<EvaluationSummary> {
    const { store, reader, mayWrite } = this.#parts;
    const key = {
      evaluationId: row.id,
      modelSettingsId,
      seq: store.events.lastSeq(row.id),
      arithmetic: summaryArithmetic,
    };
    const kept = hasEnded(row.state) ? store.summaries.get(key) : null;
    if (kept) return Promise.resolve(kept);
    const name = JSON.stringify(key);
    const asked = this.#made.get(name);
    if (asked) return asked;
    const made = reader
      .read(row, { what: 'summary', evaluationId: row.id, modelSettingsId })
      .then(({ seq, summary }) => {
        if (hasEnded(row.state) && seq === key.seq && store.writable && mayWrite())
          store.summaries.put(key, summary);
        return summary;
      })
      .finally(() => this.#made.delete(name));
    this.#made.set(name, made);
    return made;
  }
}
