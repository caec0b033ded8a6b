import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { SimilarityAnalysis, SimilarityPair } from '../../../src-shared/domain/similarity.ts';
import { maxRankedPairs } from '../../../src-shared/contract/similarity.ts';
import { finishInTurns } from '../../runtime/steps.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import { clusterOrder, type ClusterOrder } from '../../analysis/similarity/groups.ts';
import { rankPairs, readRanked } from '../../analysis/similarity/rankPairs.ts';
import type { Compared } from './similarityEngine.ts';

/** An analysis in memory; its order and its ranks are computed when they are first needed. */
export interface KeptAnalysis {
  analysis: SimilarityAnalysis;
  compared: Compared;
  order: Promise<ClusterOrder> | null;
  ranks: Promise<ReadonlyMap<string, number>> | null;
}

/**
 * Two windows can each keep an analysis in memory; the oldest is dropped when another one is added.
 */
const maxKeptAnalyses = 3;

/** The latest analyses by id. None is stored. */
export class KeptAnalyses {
  readonly #kept = new Map<string, KeptAnalysis>();

  add(kept: KeptAnalysis): void {
    this.#kept.set(kept.analysis.id, kept);
    for (const id of [...this.#kept.keys()].slice(0, -maxKeptAnalyses)) this.#kept.delete(id);
  }

  /** Throws NOT_FOUND when the analysis is no longer in memory. */
  get(id: string): KeptAnalysis {
    const kept = this.#kept.get(id);
    if (kept) return kept;
    throw new ServiceError('NOT_FOUND', {
      thing: 'This similarity analysis',
      cause: 'It is no longer in memory.',
      nextStep: 'Compare the tools again.',
    });
  }

  /** Returns whether it was still in memory. */
  delete(id: string): boolean {
    return this.#kept.delete(id);
  }

  clear(): void {
    this.#kept.clear();
  }
}

/** The order of the tools in which similar ones are next to each other. */
export function clusterOrderOf(kept: KeptAnalysis): Promise<ClusterOrder> {
  kept.order ??= clusterOrder(kept.compared.table, createYielder());
  return kept.order;
}

export const pairKey = ({ a, b }: Pick<SimilarityPair, 'a' | 'b'>): string => `${a}-${b}`;

/** The place of each of the first pairs among all pairs, from 1. */
export function ranksOf(kept: KeptAnalysis): Promise<ReadonlyMap<string, number>> {
  kept.ranks ??= rank(kept.compared);
  return kept.ranks;
}

async function rank({ prepared, table }: Compared): Promise<ReadonlyMap<string, number>> {
  const { pairs } = await finishInTurns(rankPairs(table, maxRankedPairs));
  const ranked = await finishInTurns(readRanked(prepared, pairs));
  return new Map(ranked.map((pair, at) => [pairKey(pair), at + 1]));
}
