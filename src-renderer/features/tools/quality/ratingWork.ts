import type { TextModel } from '../../../../src-shared/domain/textModel.ts';
import type { RatingEvent, ToolQuality } from '../../../../src-shared/domain/toolQuality.ts';
import type { Api } from '../../../api/useApi.ts';
import { createStore, useStore } from '../../../state/createStore.ts';

export interface RatingWork {
  running: boolean;
  startedAt: string | null;
  total: number | null;
  ratings: readonly ToolQuality[];
  unrated: readonly Extract<RatingEvent, { type: 'unrated' }>[];
  failed: readonly { server: string; reason: string }[];
  error: unknown;
}

const none: RatingWork = {
  running: false,
  startedAt: null,
  total: null,
  ratings: [],
  unrated: [],
  failed: [],
  error: null,
};
// One rating at a time. It continues when the user leaves the page, so that paid results aren't
// lost.
const work = createStore(none);
let stop: AbortController | null = null;

export const ratedParts = ['clarity', 'completeness', 'conciseness'] as const;

/** The lowest of the three scores of a description. */
export const lowestScore = (rating: ToolQuality): number =>
  Math.min(...ratedParts.map((part) => rating[part].score));

/** The last rating of a tool; null if no model rated it since the program was opened. */
export const useRating = (toolId: string): ToolQuality | null =>
  useStore(work).ratings.find((rating) => rating.toolId === toolId) ?? null;

export function useRatingWork(): RatingWork {
  return useStore(work);
}

/** The state of the rating after one more event. */
function foldRating(before: RatingWork, event: RatingEvent): RatingWork {
  if (event.type === 'listed') return { ...before, total: event.total, failed: event.failed };
  if (event.type === 'rated') return { ...before, ratings: [...before.ratings, event.quality] };
  return { ...before, unrated: [...before.unrated, event] };
}

/**
 * Resolves once the tools are listed and the first answer has arrived, or throws. The rest
 * continues in the background.
 */
export function startRating(
  client: Api['client'],
  servers: readonly string[],
  model: TextModel,
): Promise<void> {
  stop?.abort();
  const own = (stop = new AbortController());
  work.set({ ...none, running: true, startedAt: new Date().toISOString() });
  const begun = Promise.withResolvers<void>();
  const run = async (): Promise<void> => {
    try {
      for await (const event of await client.similarity.rate(
        { input: { serverList: [...servers] }, model },
        { signal: own.signal },
      )) {
        if (stop !== own) return;
        work.set(foldRating(work.get(), event));
        if (event.type !== 'listed') begun.resolve();
      }
    } catch (error) {
      if (stop === own && !own.signal.aborted)
        work.set({ ...work.get(), error: work.get().ratings.length > 0 ? error : null });
      begun.reject(error);
    } finally {
      if (stop === own) work.set({ ...work.get(), running: false });
      begun.resolve();
    }
  };
  void run();
  return begun.promise;
}

export function cancelRating(): void {
  stop?.abort();
  work.set({ ...work.get(), running: false });
}
