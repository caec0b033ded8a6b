import { shuffled } from '../../../../src-shared/metrics/shuffle.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { CaseContent } from '../../../../src-shared/domain/testCase.ts';
import { alternatives } from '../../../../src-shared/domain/testCase.ts';
import type { SnapshotTool, ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import type { EvaluationSettings, FailureKind } from '../../../../src-shared/domain/evaluation.ts';
import type { Index } from '../../../analysis/rankers/ranker.ts';
import { offlineRankers } from '../../../analysis/rankers/rankers.ts';

/**
 * The tools of one list of servers. Equal lists return the same object, so that models and the
 * scorer can cache by identity.
 */
export interface OfferedTools {
  key: string;
  tools: readonly (SnapshotTool & { toolId: string })[];
  ids: ReadonlySet<string>;
}

type TopTools = Pick<EvaluationSettings, 'topK' | 'retriever' | 'externalRetriever'>;

/** Why a run is not scored. */
export interface ScoringObstacle {
  failure: FailureKind;
  message: string;
}

/** The stored ranking of a query, best first; null when it was not ranked. */
export type StoredRankings = (
  servers: readonly string[],
  query: string,
) => readonly string[] | null;

const maxSubsets = 1_000;

/** The instructions of servers as one text; null when there are none. */
export function formatInstructions(
  servers: readonly { server: string; instructions: string | null }[],
): string | null {
  const withText = servers.filter(
    ({ instructions }) => instructions !== null && instructions !== '',
  );
  return withText.length === 0
    ? null
    : withText
        .map(
          ({ server, instructions }) =>
            `Instructions of the server ${server}:\n${instructions ?? ''}`,
        )
        .join('\n\n');
}

/** The system prompt followed by the servers' instructions. */
export function appendInstructions(
  system: string | null,
  instructions: string | null,
): string | null {
  return instructions === null
    ? system
    : [system, instructions].filter((text) => text !== null && text !== '').join('\n\n');
}

/** A snapshot, and the tools that each case of an evaluation is shown from it. */
export class FrozenTools {
  readonly #snapshot: ToolSnapshot;
  readonly #storedRankings: StoredRankings;
  readonly #subsets = new Map<string, OfferedTools>();
  readonly #indexes = new Map<string, Index>();

  constructor(snapshot: ToolSnapshot, storedRankings: StoredRankings = () => null) {
    this.#snapshot = snapshot;
    this.#storedRankings = storedRankings;
  }

  /** `orderSeed` shuffles the tools; null keeps the listed order. */
  offer(servers: readonly string[], orderSeed: number | null = null): OfferedTools {
    const key = JSON.stringify([
      this.#snapshot.id,
      ...servers,
      ...(orderSeed === null ? [] : [orderSeed]),
    ]);
    let subset = this.#subsets.get(key);
    if (!subset) {
      const wanted = new Set(servers);
      const listed = this.#snapshot.tools
        .filter(({ server }) => wanted.has(server))
        .map((tool) => ({ ...tool, toolId: toolId(tool.server, tool.name) }));
      const tools =
        orderSeed === null
          ? listed
          : shuffled(listed.length, orderSeed).flatMap((place) => listed[place] ?? []);
      subset = { key, tools, ids: new Set(tools.map((tool) => tool.toolId)) };
      this.#subsets.set(key, subset);
    }
    return subset;
  }

  /**
   * The instructions of the servers, to be appended to the system prompt; null when there are none.
   */
  instructions(servers: readonly string[]): string | null {
    return formatInstructions(
      this.#snapshot.servers.filter(({ server }) => servers.includes(server)),
    );
  }

  /**
   * The tools shown for a case: all tools of its servers, or with `topK` the best ones for its
   * query, in listed order. A pure function of the snapshot and the stored rankings, so that later
   * readers see the same. Empty when a ranking is missing.
   */
  offerFor(
    query: string,
    servers: readonly string[],
    { topK, retriever, externalRetriever }: TopTools,
    orderSeed: number | null = null,
  ): OfferedTools {
    const all = this.offer(servers);
    if (topK === null || topK >= all.tools.length) return this.offer(servers, orderSeed);
    if (externalRetriever !== null)
      return this.subset(
        servers,
        (this.#storedRankings(servers, query) ?? []).slice(0, topK),
        orderSeed,
      );
    const best = this.#indexOf(all, retriever)
      .top(query, topK)
      .map(({ toolIndex }) => toolIndex)
      .sort((a, b) => a - b);
    return this.subset(
      servers,
      best.flatMap((at) => all.tools[at]?.toolId ?? []),
      orderSeed,
    );
  }

  /** Whether the tools of a case can be determined. */
  isRanked(
    query: string,
    servers: readonly string[],
    { topK, externalRetriever }: TopTools,
  ): boolean {
    return (
      externalRetriever === null ||
      topK === null ||
      topK >= this.offer(servers).tools.length ||
      this.#storedRankings(servers, query) !== null
    );
  }

  /** The given tools of a list of servers, in the order of that list. */
  subset(
    servers: readonly string[],
    ids: readonly string[],
    orderSeed: number | null = null,
  ): OfferedTools {
    const key = JSON.stringify([this.#snapshot.id, servers, ids, orderSeed]);
    let subset = this.#subsets.get(key);
    if (!subset) {
      const wanted = new Set(ids);
      const tools = this.offer(servers, orderSeed).tools.filter((tool) => wanted.has(tool.toolId));
      subset = { key, tools, ids: new Set(tools.map((tool) => tool.toolId)) };
      // There may be as many subsets as queries, so the cache is limited.
      if (this.#subsets.size >= maxSubsets) this.#subsets.clear();
      this.#subsets.set(key, subset);
    }
    return subset;
  }

  #indexOf(all: OfferedTools, retriever: string): Index {
    const key = JSON.stringify([retriever, all.key]);
    let index = this.#indexes.get(key);
    if (!index) {
      const ranker = offlineRankers.get(retriever);
      if (!ranker) throw new Error(`There is no retriever ${retriever}.`);
      index = ranker.index(all.tools);
      this.#indexes.set(key, index);
    }
    return index;
  }

  /** Why a case can't be scored with these tools, or null. Checked before any model is called. */
  findObstacle(
    content: CaseContent,
    servers: readonly string[],
    options: { scoresMissingTools?: boolean } = {},
  ): ScoringObstacle | null {
    for (const name of servers) {
      const listing = this.#snapshot.servers.find(({ server }) => server === name);
      if (!listing)
        return {
          failure: 'server',
          message: `Server ${name} was not checked when the evaluation started.`,
        };
      if (listing.status === 'failed')
        return {
          failure: 'server',
          message: `Server ${name} listed no tools: ${listing.error ?? 'no reason given.'}`,
        };
    }
    // Measuring the effect of missing tools is the purpose of a what-if and of a top-k evaluation.
    if (options.scoresMissingTools) return null;
    const { ids } = this.offer(servers);
    for (const call of content.expectedCalls) {
      const wanted = alternatives(call);
      if (wanted.some(({ server, tool }) => ids.has(toolId(server, tool)))) continue;
      const named = wanted.map(({ server, tool }) => toolId(server, tool)).join(' or ');
      const rejected = this.#snapshot.servers
        .flatMap((listing) => listing.rejected)
        .find((tool) =>
          wanted.some(({ server, tool: name }) => tool.server === server && tool.name === name),
        );
      return {
        failure: 'tool_not_offered',
        message: rejected
          ? `Expected tool not offered: ${named} was rejected (${rejected.reason}).`
          : `Expected tool not offered: ${named} isn't a tool of ${servers.join(', ')}.`,
      };
    }
    return null;
  }
}

/**
 * Why a case can't be scored with a model, or null: its provider can't be offered any tool that
 * would be correct.
 */
export function findExclusion(
  content: CaseContent,
  { ids }: OfferedTools,
  excluded: readonly { tool: string; reason: string }[],
): ScoringObstacle | null {
  const reasons = new Map(excluded.map(({ tool, reason }) => [tool, reason]));
  for (const call of content.expectedCalls) {
    const wanted = alternatives(call).map(({ server, tool }) => toolId(server, tool));
    if (wanted.some((id) => ids.has(id) && !reasons.has(id))) continue;
    const reason = wanted.map((id) => reasons.get(id)).find((text) => text !== undefined);
    return {
      failure: 'tool_not_offered',
      message: (
        'Expected tool not offered: the provider of this model does not take ' +
        `${wanted.join(' or ')}. ${reason ?? ''}`
      ).trim(),
    };
  }
  return null;
}
