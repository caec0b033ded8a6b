import { evaluationRequest } from '../../../src-shared/domain/evaluation.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { externalRetrieverName } from '../../../src-shared/domain/retrievalRun.ts';
import type {
  Frontier,
  FrontierPoint,
  FrontierRequest,
} from '../../../src-shared/domain/tokenReport.ts';
import { answerPairs } from '../../../src-shared/metrics/pairing.ts';
import { offlineRankers } from '../../analysis/rankers/rankers.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { evaluationScope } from '../../store/runs/scopes.ts';
import type { StoredFrontierPoint } from '../../store/labs/frontiers.ts';
import { shownText } from '../clients/readClients.ts';
import { FrozenTools, type OfferedTools } from '../evaluations/tools/offeredTools.ts';
import { serversOf } from '../evaluations/plan/planEvaluation.ts';
import type { Clock, NextId } from '../../runtime/clock.ts';
import type { EvaluationsService } from '../evaluations/evaluationsService.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { notFound } from '../../store/database/table.ts';
import { counted, formatPoints, formatPValue } from '../../../src-shared/display/numbers.ts';

/** The conclusion for one retriever; `k` is null when there is no loss to report. */
interface FrontierAnswer {
  retriever: string;
  k: number | null;
  sentence: string;
}

const toolCount = (k: number): string => counted(k, 'tool');

/**
 * For each retriever, finds where fewer tools begin to cost accuracy: the largest k that the paired
 * test of comparisons finds worse than every tool, adjusted over all k. Says so when none is, or when
 * nothing can be concluded yet. Source: docs/rules.md §6.
 */
function frontierAnswers(all: readonly FrontierPoint[]): FrontierAnswer[] {
  const retrievers = [
    ...new Set(all.filter(({ k }) => k !== null).map(({ retriever }) => retriever)),
  ];
  return retrievers.map((retriever) => {
    const measured = all
      .filter((point) => point.retriever === retriever && point.k !== null)
      .sort((a, b) => (b.k ?? 0) - (a.k ?? 0));
    const answer = (sentence: string, k: number | null = null): FrontierAnswer => ({
      retriever,
      k,
      sentence,
    });
    if (!all.some(({ k }) => k === null))
      return answer(
        'The full tool list was not measured, so there is nothing to compare with. Add k = all.',
      );
    if (measured.every(({ difference }) => difference === null))
      return answer('Not known yet: the evaluations have not ended.');
    const firstLoss = measured.find(({ difference }) => difference?.answer === 'worse');
    const smallest = measured.filter(({ difference }) => difference !== null).at(-1);
    if (!firstLoss?.difference) {
      const n = smallest?.difference?.n ?? 0;
      return answer(
        `No loss of accuracy can be shown down to ${toolCount(smallest?.k ?? 0)}: all differences ` +
          `are within noise (n ${n}). With more cases one might be shown.`,
      );
    }
    const { value, low, high, n, adjustedP } = firstLoss.difference;
    const previous = measured
      .filter(({ k, difference }) => (k ?? 0) > (firstLoss.k ?? 0) && difference !== null)
      .at(-1);
    const withoutLoss = previous ? ` With ${toolCount(previous.k ?? 0)} no loss can be shown.` : '';
    return answer(
      `Fewer tools begin to cost accuracy at k = ${firstLoss.k ?? 0}: ${formatPoints(value)} ` +
        `points [${formatPoints(low)} to ${formatPoints(high)}] vs. every tool, p ` +
        `${formatPValue(adjustedP)}, n ${n}.${withoutLoss}`,
      firstLoss.k,
    );
  });
}

export interface FrontierParts {
  store: Store;
  tokens: TokenCounts;
  clock: Clock;
  nextId: NextId;
  evaluations: Pick<EvaluationsService, 'get' | 'start' | 'summary'>;
}

/**
 * Accuracy against tokens: one evaluation of the same suite for each k and retriever, compared with
 * showing every tool.
 */
export class Frontiers {
  readonly #parts: FrontierParts;
  /** Tokens of shown tools by their hash, for each snapshot, encoding and client. */
  readonly #counts = new Map<string, Map<string, number>>();

  constructor(parts: FrontierParts) {
    this.#parts = parts;
  }

  /** Starts all evaluations of a frontier. Throws INVALID for an unknown retriever. */
  async start(request: FrontierRequest): Promise<Frontier> {
    const { store, clock, nextId, evaluations } = this.#parts;
    const unknown = request.retrievers.find(
      (spec) => typeof spec === 'string' && !offlineRankers.has(spec),
    );
    if (typeof unknown === 'string')
      throw new ServiceError('INVALID', {
        thing: `Retriever ${unknown}`,
        cause: "It doesn't exist.",
        nextStep: `Choose of ${[...offlineRankers.keys()].join(', ')}.`,
        field: 'retrievers',
      });
    const ks = [...new Set(request.ks)];
    // With every tool shown the retriever does not matter, so that point is measured once.
    const rankers = request.retrievers.map((spec) =>
      typeof spec === 'string'
        ? { retriever: spec, externalRetriever: null }
        : { retriever: externalRetrieverName(spec), externalRetriever: spec },
    );
    const wanted = [
      ...rankers.flatMap((ranker) => ks.flatMap((k) => (k === null ? [] : [{ ...ranker, k }]))),
      ...(ks.includes(null)
        ? [{ retriever: rankers[0]?.retriever ?? 'default', externalRetriever: null, k: null }]
        : []),
    ];
    const points: StoredFrontierPoint[] = [];
    let suiteName = '';
    for (const { retriever, externalRetriever, k } of wanted) {
      const started = await evaluations.start(
        evaluationRequest.parse({
          suiteId: request.suiteId,
          servers: request.servers,
          models: [request.model],
          repetitions: request.repetitions,
          concurrency: request.concurrency,
          topK: k,
          retriever,
          externalRetriever,
          client: request.client,
          ...(request.inline ? { inline: request.inline } : {}),
        }),
      );
      suiteName = started.suiteName;
      points.push({ retriever, k, evaluationId: started.id });
    }
    const id = nextId();
    store.frontiers.insert(
      { id, suiteName, encoding: request.encoding, createdAt: clock.now() },
      points,
    );
    return this.get(id);
  }

  /** A frontier with current numbers; conclusions are drawn once all evaluations have ended. */
  async get(id: string): Promise<Frontier> {
    const { store } = this.#parts;
    const frontier = store.frontiers.get(id);
    if (!frontier) throw notFound('Frontier', id, 'Look in the list on the tokens page.');
    const stored = store.frontiers.points(id);
    const allToolsPoint = stored.find(({ k }) => k === null);
    const reference = allToolsPoint ? correctShareByCase(store, allToolsPoint.evaluationId) : null;
    const differences = differencesOf(store, stored, reference);
    const points: FrontierPoint[] = [];
    for (const point of stored)
      points.push(
        await this.#point(point, differences.get(point.evaluationId) ?? null, frontier.encoding),
      );
    const ended = points.filter(({ state }) => state !== 'running' && state !== 'planned');
    const [first] = stored;
    const measured = first && store.evaluations.get('case', first.evaluationId);
    return {
      ...frontier,
      client: measured?.settings.client ?? null,
      points,
      answers: frontierAnswers(
        ended.length === points.length
          ? points
          : points.map((point) => ({ ...point, difference: null })),
      ),
    };
  }

  /** Stored frontiers without their numbers. */
  list(): { id: string; suiteName: string; createdAt: string; points: number }[] {
    const { store } = this.#parts;
    return store.frontiers.list().map(({ id, suiteName, createdAt }) => ({
      id,
      suiteName,
      createdAt,
      points: store.frontiers.points(id).length,
    }));
  }

  /** The tokens of shown tools, by hash. Each is counted once while the program runs. */
  async #countShown(...[kind, offers, encoding]: Parameters<Counting>): ReturnType<Counting> {
    const known = this.#counts.get(kind) ?? new Map<string, number>();
    this.#counts.set(kind, known);
    const missing = [
      ...new Map(offers.flatMap(({ shown }) => shown.map((tool) => [tool.hash, tool]))).values(),
    ].filter(({ hash }) => !known.has(hash));
    const results = await this.#parts.tokens.counter.countTools(
      missing.map(({ name, wireName = name, description, inputSchema: schema }) =>
        shownText({ wireName, description, schema }),
      ),
      encoding,
    );
    for (const [at, { hash }] of missing.entries()) {
      const result = results[at];
      if (result !== undefined && 'counted' in result) known.set(hash, result.counted.tokenCount);
    }
    return known;
  }

  /** The current numbers of one point. */
  async #point(
    { retriever, k, evaluationId }: StoredFrontierPoint,
    difference: FrontierPoint['difference'],
    encoding: Frontier['encoding'],
  ): Promise<FrontierPoint> {
    const { store, evaluations } = this.#parts;
    const evaluation = await evaluations.get({ id: evaluationId });
    const { metrics } = await evaluations.summary({ id: evaluationId, modelSettingsId: null });
    return {
      retriever,
      k,
      evaluationId,
      evaluationNumber: evaluation.number,
      state: evaluation.state,
      done: evaluation.counts.total - evaluation.counts.open,
      runs: evaluation.counts.total,
      failed: evaluation.counts.failed,
      tokens: await meanShownTokens(
        store,
        (...shown) => this.#countShown(...shown),
        store.evaluations.get('case', evaluationId),
        encoding,
      ),
      accuracy: metrics.accuracy,
      selectionF1: metrics.selectionF1,
      difference,
    };
  }
}

/** The share of scored repetitions that were correct, by case. */
function correctShareByCase(store: Store, evaluationId: string): Map<string, number> {
  const shares = new Map<string, { right: number; all: number }>();
  for (const [testCaseId, classification] of store.runFolds.runs(
    evaluationScope(evaluationId, null),
  )) {
    const share = shares.get(testCaseId) ?? { right: 0, all: 0 };
    shares.set(testCaseId, {
      right: share.right + (classification === 'TP' || classification === 'TN' ? 1 : 0),
      all: share.all + 1,
    });
  }
  return new Map([...shares].map(([id, { right, all }]) => [id, right / all]));
}

/**
 * The paired differences in accuracy from showing every tool, over the cases that both evaluations
 * scored, by evaluation. The p-values of all k of one retriever are adjusted together.
 */
function differencesOf(
  store: Store,
  points: readonly StoredFrontierPoint[],
  reference: ReadonlyMap<string, number> | null,
): Map<string, NonNullable<FrontierPoint['difference']>> {
  const found = new Map<string, NonNullable<FrontierPoint['difference']>>();
  if (reference === null) return found;
  const measured = points.filter(
    ({ k, evaluationId }) =>
      k !== null && hasEnded(store.evaluations.get('case', evaluationId)?.state ?? 'planned'),
  );
  for (const own of Map.groupBy(measured, ({ retriever }) => retriever).values()) {
    const changes = own.map(({ evaluationId }) => {
      const right = correctShareByCase(store, evaluationId);
      return [...right].flatMap(([id, share]) => {
        const before = reference.get(id);
        return before === undefined ? [] : [share - before];
      });
    });
    for (const [at, tested] of answerPairs(changes).entries()) {
      const { difference, pValue, adjustedP, answer } = tested;
      const point = own[at];
      if (point === undefined || !difference || pValue === null || adjustedP === null) continue;
      const n = changes[at]?.length ?? 0;
      found.set(point.evaluationId, { ...difference, n, pValue, adjustedP, answer });
    }
  }
  return found;
}

type Counting = (
  kind: string,
  offers: readonly OfferedTools[],
  encoding: Frontier['encoding'],
) => Promise<ReadonlyMap<string, number>>;

/**
 * The mean tokens of the tools shown per case: of name, description and schema, as a model reads
 * them, with a client and without. Null until the shown tools are known.
 */
async function meanShownTokens(
  store: Store,
  counted: Counting,
  row: EvaluationRow | null,
  encoding: Frontier['encoding'],
): Promise<number | null> {
  if (!row || row.snapshotId === null) return null;
  const { id, settings } = row;
  const snapshot = store.toolSnapshots.get(row.snapshotId);
  if (!snapshot) return null;
  const tools = new FrozenTools(
    snapshot,
    (servers, query) => store.caseRankings.get(id, servers, query),
    settings.client,
  );
  const offers: OfferedTools[] = [];
  for (const { content } of store.entries.each('case', id)) {
    const servers = serversOf(content, settings, row.suite.servers);
    // A server without tools was not measured, which is not the same as 0 tokens.
    if (
      tools.offer(servers).tools.length === 0 ||
      !tools.isRanked(content.query, servers, settings)
    )
      continue;
    offers.push(tools.offerFor(content.query, servers, settings));
  }
  const counts = await counted(
    `${snapshot.id} ${encoding} ${settings.client ?? ''}`,
    offers,
    encoding,
  );
  let sum = 0;
  for (const { shown } of offers)
    for (const { hash } of shown) {
      const count = counts.get(hash);
      // A sum without one of its tools would be too small.
      if (count === undefined) return null;
      sum += count;
    }
  return offers.length === 0 ? null : sum / offers.length;
}
