import { toolId } from '../../../src-shared/domain/labels.ts';
import {
  defaultOverlapWeights,
  type AnalysedTool,
  type Differentiation,
  type EmbeddingModel,
  type OverlapWeights,
  type SimilarityFinding,
  type SimilarityMeasure,
  type SimilarityMethod,
  type SimilarityPair,
} from '../../../src-shared/domain/similarity.ts';
import { embeddingModelName } from '../../../src-shared/domain/provider.ts';
import { textModelConfiguration, type TextModel } from '../../../src-shared/domain/textModel.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { OpenEmbedder } from '../../adapters/llm/embeddings/openEmbedder.ts';
import { finishInTurns } from '../../runtime/steps.ts';
import { findStructural } from '../../analysis/advice/structuralFindings.ts';
import { readPair } from '../../analysis/similarity/prepare.ts';
import { rankPairs, readRanked } from '../../analysis/similarity/rankPairs.ts';
import { chooseTools } from './checkTools.ts';
import { embedTools } from './embedTools.ts';
import { adviseFlaggedPairs, type ExamineTools } from './openSignals.ts';
import { revisePairs } from './revisePairs.ts';
import { SimilarityEngine, type Compared } from './similarityEngine.ts';

export interface CompareOnceOptions {
  threshold: number;
  measure: SimilarityMeasure;
  weights?: OverlapWeights;
  full: boolean;
  embeddingModel: EmbeddingModel | null;
  matrix: boolean;
  recommend: boolean;
  /** Finds tools with open security signals, about which nothing is recommended. */
  examine: ExamineTools;
  /** Compare only these tools; default: all. */
  toolIds?: readonly string[];
  /** Revises the tools of flagged pairs with a model; null: no model is asked. */
  reviser?: { model: TextModel; open: OpenChatModel } | null;
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
  openEmbedder: OpenEmbedder;
}

export interface SimilarityListing {
  toolIds: string[];
  method: SimilarityMethod;
  semanticSource: string;
  measure: SimilarityMeasure;
  /** By descending score; at most `maxListedPairs`. */
  pairs: SimilarityPair[];
  total: number;
  floor: number;
  findings: SimilarityFinding[];
  matrix: number[][] | null;
  recommendations: Differentiation[];
}

/** The most pairs that are listed: those of 1,414 tools. */
export const maxListedPairs = 1_000_000;

export const semanticSourceOf = (model: EmbeddingModel | null): string =>
  model ? `embedding:${embeddingModelName(model.provider, model.model)}` : 'tfidf';

/**
 * Runs a whole analysis and returns all pairs; nothing is kept afterwards. Used by the command
 * line.
 */
export async function compareOnce(
  given: readonly AnalysedTool[],
  options: CompareOnceOptions,
): Promise<SimilarityListing> {
  const {
    threshold,
    measure,
    full,
    signal,
    embeddingModel,
    weights = defaultOverlapWeights,
    openEmbedder,
  } = options;
  const tools = chooseTools(given, options.toolIds);
  const engine = new SimilarityEngine();
  try {
    const embedded = embeddingModel
      ? await embedTools(
          tools,
          embeddingModel,
          { open: openEmbedder, cache: null },
          { full, signal },
        )
      : null;
    const compared = await engine.compare(tools, {
      measure,
      weights,
      full,
      embedded,
      signal,
      onProgress: (stage, done, total) =>
        stage === 'comparing' && options.onProgress?.(done, total),
    });
    const { pairs, total } = await listPairs(compared, signal);
    const advice = options.recommend
      ? await adviseFlaggedPairs(tools, pairs, threshold, options.examine, signal)
      : [];
    const { reviser } = options;
    const recommendations = reviser
      ? await revisePairs(
          reviser.open,
          textModelConfiguration(reviser.model),
          tools,
          advice,
          signal,
        )
      : advice;
    return {
      toolIds: tools.map(({ server, name }) => toolId(server, name)),
      method: compared.prepared.method,
      semanticSource: semanticSourceOf(embeddingModel),
      measure,
      pairs,
      total,
      floor: compared.table.floor,
      findings: findStructural(tools),
      matrix: options.matrix ? matrixOf(compared, pairs) : null,
      recommendations,
    };
  } finally {
    await engine.close();
  }
}

/** Lists pairs with exact scores, the highest first, at most `maxListedPairs`. */
export async function listPairs(
  { prepared, table }: Compared,
  signal: AbortSignal,
): Promise<{ pairs: SimilarityPair[]; total: number }> {
  const { pairs, total } = await finishInTurns(rankPairs(table, maxListedPairs), signal);
  return { pairs: await finishInTurns(readRanked(prepared, pairs), signal), total };
}

/** The exact overlap of every pair, whatever the measure is. */
function matrixOf({ prepared }: Compared, pairs: readonly SimilarityPair[]): number[][] {
  const rows = Array.from({ length: prepared.count }, (_, a) =>
    Array.from({ length: prepared.count }, (__, b): number | null => (a === b ? 1 : null)),
  );
  for (const { a, b, overlap } of pairs) {
    const [row, other] = [rows[a], rows[b]];
    if (row && other) row[b] = other[a] = overlap;
  }
  // Pairs beyond the list.
  return rows.map((row, a) =>
    row.map((value, b) => value ?? readPair(prepared, Math.min(a, b), Math.max(a, b)).overlap),
  );
}
