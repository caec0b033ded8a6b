import type { RunFilter, RunPlace, RunRow } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { RunSort } from '../../../../src-shared/domain/runSorts.ts';
import type { Store } from '../../../store/store.ts';

/** Identifies a list: an evaluation with a filter and an order. */
export interface RunListRequest {
  evaluationId: string;
  filter: RunFilter;
  sort: RunSort;
  descending: boolean;
}

/** Enough for the open pages and the lists that a reader switches between. */
const maxLists = 16;

/**
 * Ordered lists of an evaluation's runs, cached as row ids. Once a filter and an order are known,
 * every page, neighbor and position costs the same at any depth. Everything that changes a run
 * appends an event, so a list is valid as long as the last event is the same. While an evaluation
 * runs, nothing is cached.
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

  /** Where a run is in the list, with the runs before and after it. */
  place(store: Store, request: RunListRequest & { runId: string }): RunPlace {
    const list = this.#list(store, request);
    const rowid = store.runQueries.rowidOf(request.runId);
    const at = rowid === null ? -1 : list.indexOf(rowid);
    const neighborAt = (index: number): RunPlace['next'] => {
      const found = at < 0 ? undefined : list[index];
      const [row] = found === undefined ? [] : store.runQueries.rows([found]);
      return row === undefined ? null : { runId: row.runId, query: row.query };
    };
    return {
      index: at < 0 ? null : at,
      total: list.length,
      previous: neighborAt(at - 1),
      next: neighborAt(at + 1),
    };
  }

  #list(store: Store, { evaluationId, filter, sort, descending }: RunListRequest): Float64Array {
    const state = store.evaluations.get('case', evaluationId)?.state;
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
    // Map keeps insertion order: re-inserting moves the list to the end, so that the first key is
    // always the least recently used.
    this.#lists.delete(key);
    this.#lists.set(key, list);
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= maxLists) break;
      this.#lists.delete(oldest);
    }
    return list;
  }
}
