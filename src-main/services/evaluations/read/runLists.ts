import type { RunFilter, RunRow } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { RunSort } from '../../../store/runs/runQueries.ts';
import type { Store } from '../../../store/store.ts';

export interface RunListRequest {
  evaluationId: string;
  filter: RunFilter;
  sort: RunSort;
  descending: boolean;
}

/**
 * Lists that are kept: those of the pages that are open, with what one went back and forth between.
 */
const maxLists = 16;

/**
 * The runs of an evaluation in order, kept as row ids: once a filter and an order are known, every
 * page, neighbour and place costs the same however deep it lies. Whatever changes a run leaves an
 * event, so a list is good as long as the last event is the same; while an evaluation runs, nothing
 * is kept.
 */
export class RunLists {
  readonly #lists = new Map<string, Float64Array>();

  page(
    store: Store,
    request: RunListRequest & { offset: number; limit: number },
  ): { rows: RunRow[]; total: number } {
    const list = this.#list(store, request);
    return {
      rows: store.runQueries.rows(list.subarray(request.offset, request.offset + request.limit)),
      total: list.length,
    };
  }

  neighbors(
    store: Store,
    request: RunListRequest & { runId: string },
  ): { previous: string | null; next: string | null; index: number | null } {
    const list = this.#list(store, request);
    const rowid = store.runQueries.rowidOf(request.runId);
    const at = rowid === null ? -1 : list.indexOf(rowid);
    const idAt = (index: number): string | null => {
      const found = at < 0 ? undefined : list[index];
      return found === undefined ? null : store.runQueries.idOf(found);
    };
    return { previous: idAt(at - 1), next: idAt(at + 1), index: at < 0 ? null : at };
  }

  #list(store: Store, { evaluationId, filter, sort, descending }: RunListRequest): Float64Array {
    const state = store.evaluations.get(evaluationId)?.state;
    if (state === undefined || !hasEnded(state))
      return store.runQueries.order(evaluationId, filter, sort, descending);
    const key = JSON.stringify([
      evaluationId,
      store.events.lastSeq(evaluationId),
      filter,
      sort,
      descending,
    ]);
    const list =
      this.#lists.get(key) ?? store.runQueries.order(evaluationId, filter, sort, descending);
    // The one used last stands last.
    this.#lists.delete(key);
    this.#lists.set(key, list);
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= maxLists) break;
      this.#lists.delete(oldest);
    }
    return list;
  }
}
