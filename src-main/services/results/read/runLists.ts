import type { RunPlace } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { RunList } from '../../../store/runs/runQueries.ts';
import type { Store } from '../../../store/store.ts';

/** Enough for the open pages and the lists that a reader switches between. */
const maxLists = 16;

/**
 * Ordered lists of an evaluation's runs of either unit, cached as row ids. Once a filter and an order are known,
 * every page, neighbor and position costs the same at any depth. Everything that changes a run
 * appends an event, so a list is valid as long as the last event is the same. While an evaluation
 * runs, nothing is cached.
 */
export class RunLists {
  readonly #lists = new Map<string, Float64Array>();

  /** The rows of one page, which `read` reads by their row ids. */
  page<Row>(
    store: Store,
    { offset, limit, ...list }: RunList & { offset: number; limit: number },
    read: (rowids: Float64Array) => Row[],
  ): { rows: Row[]; total: number } {
    const all = this.#list(store, list);
    return { rows: read(all.subarray(offset, offset + limit)), total: all.length };
  }

  /** Where a run is in the list, with the runs before and after it. */
  place(store: Store, { runId, ...request }: RunList & { runId: string }): RunPlace {
    const list = this.#list(store, request);
    const rowid = store.runQueries.rowidOf(runId);
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

  #list(store: Store, asked: RunList): Float64Array {
    const { unit = 'case', evaluationId, filter, sort, descending } = asked;
    const state = store.evaluations.get(unit, evaluationId)?.state;
    if (state === undefined || !hasEnded(state)) return store.runQueries.order(asked);
    const lastSeq = store.events.lastSeq(evaluationId);
    const key = JSON.stringify([evaluationId, lastSeq, filter, sort, descending]);
    const list = this.#lists.get(key) ?? store.runQueries.order(asked);
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
