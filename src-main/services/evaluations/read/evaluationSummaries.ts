import type { EvaluationSummary } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import type { EvaluationReader } from '../../results/read/evaluationReader.ts';
import { summaryVersion } from './summarizeEvaluation.ts';

interface SummaryParts {
  store: Store;
  reader: EvaluationReader;
  /** False once the database is about to be closed. */
  mayWrite: () => boolean;
}

/** Summaries that a session keeps in memory where it can't store them. */
const maxKept = 8;

/**
 * Computes summaries once and stores those of ended evaluations. Everything that changes a number
 * appends an event, so a summary is valid as long as the last event is the same.
 */
export class EvaluationSummaries {
  readonly #parts: SummaryParts;
  /**
   * Summaries being computed: concurrent requests for the same one share it. Where they can't be
   * stored, also the last that were: a report asks three times for each.
   */
  readonly #pending = new Map<string, Promise<EvaluationSummary>>();

  constructor(parts: SummaryParts) {
    this.#parts = parts;
  }

  async of(row: EvaluationRow, modelSettingsId: string | null): Promise<EvaluationSummary> {
    // The numbers of the only model are those of the evaluation, and folding 100,000 cases a second
    // time would double the memory of a report.
    const isOnly = row.modelSettingsIds.length === 1 && row.modelSettingsIds[0] === modelSettingsId;
    return isOnly
      ? { ...(await this.#read(row, null)), modelSettingsId }
      : this.#read(row, modelSettingsId);
  }

  #read(row: EvaluationRow, modelSettingsId: string | null): Promise<EvaluationSummary> {
    const { store, reader, mayWrite } = this.#parts;
    const key = {
      evaluationId: row.id,
      modelSettingsId,
      seq: store.events.lastSeq(row.id),
      arithmetic: summaryVersion,
    };
    const stored = hasEnded(row.state) ? store.summaries.get(key) : null;
    if (stored) return Promise.resolve(stored);
    const name = JSON.stringify(key);
    const running = this.#pending.get(name);
    if (running) return running;
    const pending = reader
      .read(row, { kind: 'summary', evaluationId: row.id, modelSettingsId })
      .then(({ seq, summary }) => {
        if (hasEnded(row.state) && seq === key.seq && store.writable && mayWrite())
          store.summaries.put(key, summary);
        return summary;
      })
      .catch((error: unknown) => {
        this.#pending.delete(name);
        throw error;
      })
      .finally(() => {
        if (store.writable || !hasEnded(row.state)) this.#pending.delete(name);
      });
    this.#pending.set(name, pending);
    for (const oldest of this.#pending.keys()) {
      if (store.writable || this.#pending.size <= maxKept) break;
      this.#pending.delete(oldest);
    }
    return pending;
  }
}
