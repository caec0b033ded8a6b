import type { ClientFacts, ClientId } from '../../../../src-shared/domain/clientFacts.ts';
import { shuffled } from '../../../../src-shared/metrics/shuffle.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { CaseContent } from '../../../../src-shared/domain/testCase.ts';
import { alternatives } from '../../../../src-shared/domain/testCase.ts';
import type { ShownTool, SnapshotTool, ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import type { EvaluationSettings, FailureKind } from '../../../../src-shared/domain/evaluation.ts';
import type { Index } from '../../../analysis/rankers/ranker.ts';
import { present } from '../../../presentation/present.ts';
import { offlineRankers } from '../../../analysis/rankers/rankers.ts';

import { factsOf } from '../../clients/clientViews.ts';
import { presentTools } from './presentedTools.ts';

/**
 * The tools of one list of servers. Equal lists return the same object, so that models and the
 * scorer can cache by identity.
 */
export interface OfferedTools {
  key: string;
  tools: readonly (SnapshotTool & { toolId: string })[];
  /** The same as a model reads them, which is what is sent. */
  shown: readonly ShownTool[];
  ids: ReadonlySet<string>;
}

type TopTools = Pick<EvaluationSettings, 'topK' | 'retriever' | 'externalRetriever'>;

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

export function appendInstructions(
  system: string | null,
  instructions: string | null,
): string | null {
  return instructions === null
    ? system
    : [system, instructions].filter((text) => text !== null && text !== '').join('\n\n');
}

function subsetOf(
  key: string,
  { tools: all, shown: allShown }: Pick<OfferedTools, 'tools' | 'shown'>,
  places: readonly number[],
): OfferedTools {
  const tools = places.flatMap((place) => all[place] ?? []);
  const shown = all === allShown ? tools : places.flatMap((place) => allShown[place] ?? []);
  return { key, tools, shown, ids: new Set(tools.map((tool) => tool.toolId)) };
}

/** A snapshot, and the tools that each case of an evaluation is shown from it. */
export class FrozenTools {
  readonly #snapshot: ToolSnapshot;
  readonly #storedRankings: StoredRankings;
  readonly #client: ClientFacts | null;
  /** All tools of the snapshot, those that the client hides too. */
  readonly #listed: ReadonlySet<string>;
  readonly #subsets = new Map<string, OfferedTools>();
  readonly #indexes = new Map<string, Index>();

  /** With a client, the tools are those that it shows, in its order and texts. */
  constructor(
    snapshot: ToolSnapshot,
    storedRankings: StoredRankings = () => null,
    client?: ClientId,
  ) {
    this.#snapshot = snapshot;
    this.#storedRankings = storedRankings;
    this.#client = client === undefined ? null : factsOf(client);
    this.#listed = new Set(snapshot.tools.map(({ server, name }) => toolId(server, name)));
  }

  /** All tools of servers as they were published, those that the client hides too. */
  listed(servers: readonly string[]): SnapshotTool[] {
    return this.#snapshot.tools.filter(({ server }) => servers.includes(server));
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
      const presented = this.#present(listed);
      const order = presented.tools.map((_tool, place) => place);
      subset = subsetOf(
        key,
        presented,
        orderSeed === null ? order : shuffled(order.length, orderSeed),
      );
      this.#subsets.set(key, subset);
    }
    return subset;
  }

  /** What servers say about themselves, each by itself. */
  ownInstructions(servers: readonly string[]): { server: string; instructions: string | null }[] {
    return this.#snapshot.servers.flatMap(({ server, instructions }) =>
      servers.includes(server) ? [{ server, instructions }] : [],
    );
  }

  /**
   * The instructions of the servers, to be appended to the system prompt; null when there are none.
   */
  instructions(servers: readonly string[]): string | null {
    const own = this.#snapshot.servers.filter(({ server }) => servers.includes(server));
    const client = this.#client;
    if (client === null) return formatInstructions(own);
    const sent = own.map(({ server: name, instructions }) => ({ name, instructions, tools: [] }));
    return formatInstructions(
      present(sent, client).instructions.map(({ server, text }) => ({
        server,
        instructions: text,
      })),
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
      const all = this.offer(servers, orderSeed);
      const places = all.tools.flatMap((tool, place) => (wanted.has(tool.toolId) ? [place] : []));
      subset = subsetOf(key, all, places);
      // There may be as many subsets as queries, so the cache is limited.
      if (this.#subsets.size >= maxSubsets) this.#subsets.clear();
      this.#subsets.set(key, subset);
    }
    return subset;
  }

  /** The tools that a client shows of listed ones, and why it hides the others. */
  #present(listed: readonly OfferedTools['tools'][number][]): {
    tools: OfferedTools['tools'];
    shown: OfferedTools['shown'];
  } {
    if (this.#client === null) return { tools: listed, shown: listed };
    const servers = new Set(listed.map(({ server }) => server));
    const rejected = this.#snapshot.servers
      .flatMap((one) => one.rejected)
      .filter(({ server }) => servers.has(server));
    return presentTools(listed, rejected, this.#client);
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
    // A tool that a client hides was listed: its cases fail, and their models are asked.
    const ids = this.#client === null ? this.offer(servers).ids : this.#listed;
    for (const call of content.expectedCalls) {
      const wanted = alternatives(call);
      if (
        wanted.some(({ server, tool }) => servers.includes(server) && ids.has(toolId(server, tool)))
      )
        continue;
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
    // A tool that a client hides is none that a provider refuses: its case fails.
    if (reason === undefined) continue;
    return {
      failure: 'tool_not_offered',
      message: (
        'Expected tool not offered: the provider of this model does not take ' +
        `${wanted.join(' or ')}. ${reason}`
      ).trim(),
    };
  }
  return null;
}
