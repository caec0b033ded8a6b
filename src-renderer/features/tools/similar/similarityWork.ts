import type { InferClientInputs } from '@orpc/client';
import type {
  SimilarityAnalysis,
  SimilarityEvent,
} from '../../../../src-shared/domain/similarity.ts';
import type { Api } from '../../../api/useApi.ts';
import { createStore, useStore } from '../../../state/createStore.ts';

type Client = Api['client'];
export type AnalyseInput = InferClientInputs<Client>['similarity']['analyze'];

export interface SimilarityWork {
  running: boolean;
  progress: Extract<SimilarityEvent, { type: 'progress' }> | null;
  startedAt: string | null;
  analysis: SimilarityAnalysis | null;
  /** The tools that a person chose; null compares those of all servers. */
  input: AnalyseInput | null;
  /** The stored listings that the analysis is based on. */
  basis: string;
  /** The threshold that a person chose; it holds until the app is closed. */
  threshold: number | null;
  /** IDs of the tools of all analyses so far, for narrowing an analysis. */
  seen: readonly string[];
  error: unknown;
}

// One analysis at a time. It continues when the user leaves the page.
const work = createStore<SimilarityWork>({
  running: false,
  progress: null,
  startedAt: null,
  analysis: null,
  input: null,
  basis: '',
  threshold: null,
  seen: [],
  error: null,
});
let stop: AbortController | null = null;

function change(part: Partial<SimilarityWork>): void {
  work.set({ ...work.get(), ...part });
}

export function useSimilarityWork(): SimilarityWork {
  return useStore(work);
}

export function chooseThreshold(threshold: number): void {
  change({ threshold });
}

export async function startAnalysis(
  client: Client,
  input: AnalyseInput,
  { basis, chosen }: { basis: string; chosen: boolean },
): Promise<void> {
  stop?.abort();
  const own = (stop = new AbortController());
  change({
    running: true,
    progress: null,
    startedAt: new Date().toISOString(),
    error: null,
    input: chosen ? input : null,
    basis,
  });
  try {
    for await (const event of await client.similarity.analyze(input, { signal: own.signal })) {
      if (stop !== own) return;
      if (event.type === 'done')
        change({
          analysis: event.analysis,
          seen: [...new Set([...work.get().seen, ...event.analysis.toolIds])].sort(),
        });
      else change({ progress: event });
    }
  } catch (error) {
    if (stop === own && !own.signal.aborted) change({ error });
  } finally {
    if (stop === own) change({ running: false, progress: null });
  }
}

export function cancelAnalysis(): void {
  stop?.abort();
  change({ running: false, progress: null });
}
