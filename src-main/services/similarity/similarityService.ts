import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { maxHeatMapTools } from '../../../src-shared/contract/similarity.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type {
  AnalysedTool,
  Differentiation,
  SimilarityAnalysis,
  SimilarityEvent,
  SimilarityPair,
  SimilarityRequest,
} from '../../../src-shared/domain/similarity.ts';
import { textModelConfiguration } from '../../../src-shared/domain/textModel.ts';
import type { RatingEvent } from '../../../src-shared/domain/toolQuality.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { OpenEmbedder } from '../../adapters/llm/embeddings/openEmbedder.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import { finishInTurns } from '../../runtime/steps.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import { groupsAt } from '../../analysis/similarity/groups.ts';
import { findStructural } from '../../analysis/advice/structuralFindings.ts';
import { readPair } from '../../analysis/similarity/prepare.ts';
import { rankPairs, readRanked } from '../../analysis/similarity/rankPairs.ts';
import { tableScore } from '../../analysis/similarity/tableScore.ts';
import type { Store } from '../../store/store.ts';
import type { Clock, NextId } from '../../runtime/clock.ts';
import type { CallOptions, ServiceFor } from '../contractTypes.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { chooseTools } from './checkTools.ts';
import type { SimilarityResult } from '../reports/subjects/similarityResult.ts';
import { listPairs, semanticSourceOf } from './compareOnce.ts';
import { embedTools } from './embedTools.ts';
import { eventQueue } from './eventQueue.ts';
import { gatherTools } from './gatherTools.ts';
import { clusterOrderOf, KeptAnalyses } from './keptAnalyses.ts';
import { describePair, pagePairs } from './describePair.ts';
import { drawMatrix } from './drawMatrix.ts';
import { adviseFlaggedPairs, openSignalsIn, type ExamineTools } from './openSignals.ts';
import { rateTools } from './rateTools.ts';
import { revisePairs } from './revisePairs.ts';
import { similarTools, type SimilarTools } from './similarTools.ts';
import { SimilarityEngine, type Compared } from './similarityEngine.ts';

/** The rules are loaded when they are asked for: most commands need none. */
const loadLint = () => import('./lint.ts');

type Topic = ServiceFor<'similarity'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

export interface SimilarityParts {
  store: Store;
  tokens: TokenCounts;
  connect: ConnectMcp;
  openEmbedder: OpenEmbedder;
  openChatModel: OpenChatModel;
  examine: ExamineTools;
  clock: Clock;
  nextId: NextId;
}

/** What is known of tools that were checked and compared among themselves, by id. */
export interface ComparedTools extends SimilarTools {
  /** Scores by the quality rules, 1–10. */
  quality: ReadonlyMap<string, number>;
}

/**
 * Similarity of tools: pairs, matrix, groups, recommendations, lint and ratings. Analyses stay in
 * memory until they are dropped; only embeddings are stored.
 */
export class SimilarityService implements ServiceFor<'similarity'> {
  readonly #parts: SimilarityParts;
  readonly #analyses = new KeptAnalyses();
  /** Created by the first analysis, because it starts threads. */
  #engine: SimilarityEngine | null = null;

  constructor(parts: SimilarityParts) {
    this.#parts = parts;
  }

  async close(): Promise<void> {
    this.#analyses.clear();
    await this.#engine?.close();
  }

  /** Yields progress, then the analysis. It stops when the reader leaves. */
  analyze(request: Input<'analyze'>, { signal }: CallOptions): Answer<'analyze'> {
    const queue = eventQueue<SimilarityEvent>(signal);
    void this.#analyze(request, queue.signal, queue.push).then(queue.end, queue.fail);
    return queue.events;
  }

  async #analyze(
    request: SimilarityRequest,
    signal: AbortSignal,
    push: (event: SimilarityEvent) => void,
  ): Promise<void> {
    const { store, openEmbedder, nextId, clock } = this.#parts;
    const progress = (
      stage: (SimilarityEvent & { type: 'progress' })['stage'],
      done: number,
      total: number,
    ) => push({ type: 'progress', stage, done, total });
    progress('listing', 0, 1);
    const { tools: found, failed } = await gatherTools(request.input, this.#parts, signal);
    const tools = chooseTools(found, request.toolIds);
    const {
      embeddingModel,
      computeFullSimilarity: full,
      measure = store.settings.get().similarityMeasure,
      weights = store.settings.get().overlapWeights,
    } = request;
    const embedded = embeddingModel
      ? await embedTools(
          tools,
          embeddingModel,
          { open: openEmbedder, cache: store.embeddings },
          { full, signal, onProgress: (done, total) => progress('embedding', done, total) },
        )
      : null;
    this.#engine ??= new SimilarityEngine();
    const compared = await this.#engine.compare(tools, {
      measure,
      weights,
      full,
      embedded,
      signal,
      onProgress: progress,
    });
    const threshold = request.similarityThreshold ?? store.settings.get().similarityThreshold;
    const recommendations = request.includeRecommendations
      ? await this.#advise(tools, compared, threshold, signal)
      : null;
    const analysis: SimilarityAnalysis = {
      id: nextId(),
      tools,
      toolIds: tools.map(({ server, name }) => toolId(server, name)),
      method: compared.prepared.method,
      semanticSource: semanticSourceOf(embeddingModel),
      measure,
      threshold,
      weights,
      full,
      pairs: compared.table.size,
      floor: compared.table.floor,
      histogram: await countByHundredth(compared, signal),
      findings: findStructural(tools),
      recommendations,
      failed,
      generatedAt: clock.now(),
    };
    this.#analyses.add({ analysis, compared, order: null, ranks: null });
    push({ type: 'done', analysis });
  }

  /**
   * The pairs with the highest score; totals count all pairs in scope, not only the returned
   * ones.
   */
  async pairs({ id, ...request }: Input<'pairs'>, { signal }: CallOptions): Answer<'pairs'> {
    return pagePairs(this.#analyses.get(id), request, this.#parts.store, signal);
  }

  async pair({ id, a, b }: Input<'pair'>, { signal }: CallOptions): Answer<'pair'> {
    const { analysis, pair, tools } = this.#pair(id, a, b);
    const openSignals = openSignalsIn(await this.#parts.examine(tools, signal));
    return describePair(analysis, pair, this.#parts.store, openSignals);
  }

  #pair(
    id: string,
    a: number,
    b: number,
  ): {
    analysis: SimilarityAnalysis;
    pair: SimilarityPair;
    tools: readonly [AnalysedTool, AnalysedTool];
  } {
    const { analysis, compared } = this.#analyses.get(id);
    const [first, second] = [analysis.tools[a], analysis.tools[b]];
    if (a === b || !first || !second)
      throw new ServiceError('NOT_FOUND', {
        thing: `Pair ${a}, ${b}`,
        cause: 'This analysis has no such pair.',
        nextStep: 'Choose one from the list.',
      });
    return {
      analysis,
      pair: readPair(compared.prepared, Math.min(a, b), Math.max(a, b)),
      tools: [first, second],
    };
  }

  /** The heat map. Throws INVALID beyond the number of tools that it can show. */
  async matrix({ id }: Input<'matrix'>): Answer<'matrix'> {
    const kept = this.#analyses.get(id);
    const { tools } = kept.analysis;
    if (tools.length > maxHeatMapTools)
      throw new ServiceError('INVALID', {
        thing: 'The heat map',
        cause: `It shows at most ${maxHeatMapTools} tools, and there are ${tools.length}.`,
        nextStep: 'Choose fewer tools, or use the list of pairs.',
      });
    return drawMatrix(kept.analysis, kept.compared, (await clusterOrderOf(kept)).order);
  }

  async groups({ id, cut }: Input<'groups'>): Answer<'groups'> {
    return groupsAt(await clusterOrderOf(this.#analyses.get(id)), cut);
  }

  /** Recommendations for the flagged pairs. */
  async recommend(
    { id, threshold }: Input<'recommend'>,
    { signal }: CallOptions,
  ): Answer<'recommend'> {
    const { analysis, compared } = this.#analyses.get(id);
    return this.#advise(analysis.tools, compared, threshold, signal);
  }

  async #advise(
    tools: readonly AnalysedTool[],
    { prepared, table }: Compared,
    threshold: number,
    signal: AbortSignal,
  ): Promise<Differentiation[]> {
    const ranked = await finishInTurns(rankPairs(table, 2_000), signal);
    const pairs = await finishInTurns(readRanked(prepared, ranked.pairs), signal);
    return adviseFlaggedPairs(tools, pairs, threshold, this.#parts.examine, signal);
  }

  /** Everything that a report needs: the same pairs in the same order as on the command line. */
  async result(id: string, threshold: number, signal: AbortSignal): Promise<SimilarityResult> {
    const { analysis, compared } = this.#analyses.get(id);
    const { toolIds, tools, method, semanticSource, measure, weights, full, findings } = analysis;
    const { pairs, total } = await listPairs(compared, signal);
    return {
      toolIds,
      method,
      semanticSource,
      measure,
      threshold,
      weights,
      full,
      pairs,
      total,
      findings,
      generatedAt: analysis.generatedAt,
      matrix: null,
      recommendations: await this.#advise(tools, compared, threshold, signal),
    };
  }

  /** Asks a model for new descriptions of a pair. Throws TROUBLE only when it returned none. */
  async revise({ id, a, b, model }: Input<'revise'>, { signal }: CallOptions): Answer<'revise'> {
    const { analysis, pair } = this.#pair(id, a, b);
    // Threshold 0: a person may ask about any pair.
    const [differentiation] = await adviseFlaggedPairs(
      analysis.tools,
      [pair],
      0,
      this.#parts.examine,
      signal,
    );
    if (!differentiation) throw new Error('A pair of an analysis has two tools.');
    const [revised = differentiation] = await revisePairs(
      this.#parts.openChatModel,
      textModelConfiguration(model),
      analysis.tools,
      [differentiation],
      signal,
    );
    const [failure] = revised.unrevised;
    if (
      failure &&
      revised.recommendations.every(({ revisedDescription }) => revisedDescription === null)
    )
      throw new ServiceError('TROUBLE', {
        thing: failure.toolId,
        cause: failure.reason,
        nextStep: '',
      });
    return revised;
  }

  async lint({ input }: Input<'lint'>, { signal }: CallOptions): Answer<'lint'> {
    const { tools, failed, rejected } = await gatherTools(input, this.#parts, signal);
    const openSignals = await this.#signalsOfTwins(tools, signal);
    const options = { off: this.#rulesOff(), openSignals, rejected };
    const { lintWithClients } = await loadLint();
    return { ...(await lintWithClients(tools, options, signal)), failed };
  }

  /**
   * The quality of stored tools, and how similar they are by the measure of the settings, among
   * themselves. Nothing is kept.
   */
  async compareStored(servers: readonly string[], signal: AbortSignal): Promise<ComparedTools> {
    const { store } = this.#parts;
    const { tools, rejected } = await gatherTools(
      { serverList: [...servers] },
      this.#parts,
      signal,
    );
    const { similarityMeasure: measure, overlapWeights: weights } = store.settings.get();
    const [openSignals, compared] = await Promise.all([
      this.#signalsOfTwins(tools, signal),
      tools.length < 2
        ? null
        : (this.#engine ??= new SimilarityEngine()).compare(tools, {
            ...{ measure, weights, full: false, embedded: null, signal },
          }),
    ]);
    const ids = tools.map(({ server, name }) => toolId(server, name));
    const rules = { off: this.#rulesOff(), openSignals, rejected };
    const { lintSteps } = await loadLint();
    const { tools: scores } = await finishInTurns(lintSteps(tools, rules), signal);
    return {
      quality: new Map(scores.map((scored) => [scored.toolId, scored.score])),
      ...similarTools(ids, compared),
    };
  }

  #rulesOff(): ReadonlySet<string> {
    return new Set(this.#parts.store.settings.get().qualityRulesOff);
  }

  async #signalsOfTwins(
    tools: readonly AnalysedTool[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const { toolsWithTwins } = await loadLint();
    const concerned = await toolsWithTwins(tools, signal);
    return concerned.length === 0
      ? new Set()
      : openSignalsIn(await this.#parts.examine(concerned, signal));
  }

  async lintRules(): Answer<'lintRules'> {
    return [...(await loadLint()).lintRulesById().values()];
  }

  /** Yields the rating of each tool by a model. */
  rate({ input, model }: Input<'rate'>, { signal }: CallOptions): Answer<'rate'> {
    const queue = eventQueue<RatingEvent>(signal);
    const work = async (): Promise<void> => {
      const { tools, failed } = await gatherTools(input, this.#parts, queue.signal);
      queue.push({ type: 'listed', total: tools.length, failed });
      await rateTools(
        this.#parts.openChatModel,
        textModelConfiguration(model),
        tools,
        queue.signal,
        queue.push,
      );
    };
    void work().then(queue.end, queue.fail);
    return queue.events;
  }

  async forget({ id }: Input<'forget'>): Answer<'forget'> {
    return { forgotten: this.#analyses.delete(id) };
  }
}

/** Rows that are counted between two looks at the clock. */
const rowsAtOnce = 50;

/** Number of pairs by score in hundredths, rounded down. */
async function countByHundredth(
  { prepared, table }: Compared,
  signal: AbortSignal,
): Promise<number[]> {
  const counts = Array.from({ length: 101 }, () => 0);
  const yieldIfDue = createYielder();
  const count = (a: number, b: number, steps: number): void => {
    const at = Math.floor(tableScore(prepared, a, b, steps) * 100 + 1e-9);
    counts[at] = (counts[at] ?? 0) + 1;
  };
  for (let row = 0; row < table.count; row += rowsAtOnce) {
    table.each(count, row, row + rowsAtOnce);
    await yieldIfDue();
    signal.throwIfAborted();
  }
  return counts;
}
