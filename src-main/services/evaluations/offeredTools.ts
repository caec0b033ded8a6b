import { toolId } from '../../../src-shared/domain/labels.ts';
import type { CaseContent } from '../../../src-shared/domain/testCase.ts';
import { alternatives } from '../../../src-shared/domain/testCase.ts';
import type { SnapshotTool, ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { FailureKind } from '../../../src-shared/domain/evaluation.ts';

/** The tools of one list of servers. The same list gives the same object, so that models and the scorer may cache by it. */
export interface OfferedTools {
  key: string;
  tools: readonly (SnapshotTool & { toolId: string })[];
  ids: ReadonlySet<string>;
}

export interface CannotScore {
  failure: FailureKind;
  message: string;
}

export class FrozenTools {
  readonly #snapshot: ToolSnapshot;
  readonly #subsets = new Map<string, OfferedTools>();

  constructor(snapshot: ToolSnapshot) {
    this.#snapshot = snapshot;
  }

  offer(servers: readonly string[]): OfferedTools {
    const key = JSON.stringify([this.#snapshot.id, ...servers]);
    let subset = this.#subsets.get(key);
    if (!subset) {
      const wanted = new Set(servers);
      const tools = this.#snapshot.tools
        .filter(({ server }) => wanted.has(server))
        .map((tool) => ({ ...tool, toolId: toolId(tool.server, tool.name) }));
      subset = { key, tools, ids: new Set(tools.map((tool) => tool.toolId)) };
      this.#subsets.set(key, subset);
    }
    return subset;
  }

  /** Why a case can't be measured with these tools; asked before any call to a model. */
  obstacle(content: CaseContent, servers: readonly string[], options: { measuresMissing?: boolean } = {}): CannotScore | null {
    for (const name of servers) {
      const listing = this.#snapshot.servers.find(({ server }) => server === name);
      if (!listing) return { failure: 'server', message: `Server ${name} was not listed when the evaluation started.` };
      if (listing.status === 'failed') return { failure: 'server', message: `Server ${name} gave no tools: ${listing.error ?? 'no reason given.'}` };
    }
    // What a tool that is not there costs is what a what-if is run for.
    if (options.measuresMissing) return null;
    const { ids } = this.offer(servers);
    for (const call of content.expectedCalls) {
      const wanted = alternatives(call);
      if (wanted.some(({ server, tool }) => ids.has(toolId(server, tool)))) continue;
      const named = wanted.map(({ server, tool }) => toolId(server, tool)).join(' or ');
      const rejected = this.#snapshot.servers
        .flatMap((listing) => listing.rejected)
        .find((tool) => wanted.some(({ server, tool: name }) => tool.server === server && tool.name === name));
      return {
        failure: 'tool_not_offered',
        message: rejected
          ? `Expected tool not offered: ${named} was rejected (${rejected.reason}).`
          : `Expected tool not offered: ${named} is not among the tools of ${servers.join(', ')}.`,
      };
    }
    return null;
  }
}

/** Why a case can't be measured with a model: each tool that would be right is one that its provider can't be offered. */
export function exclusionObstacle(content: CaseContent, { ids }: OfferedTools, excluded: readonly { tool: string; reason: string }[]): CannotScore | null {
  const reasons = new Map(excluded.map(({ tool, reason }) => [tool, reason]));
  for (const call of content.expectedCalls) {
    const wanted = alternatives(call).map(({ server, tool }) => toolId(server, tool));
    if (wanted.some((id) => ids.has(id) && !reasons.has(id))) continue;
    const reason = wanted.map((id) => reasons.get(id)).find((text) => text !== undefined);
    return { failure: 'tool_not_offered', message: `Expected tool not offered: the provider of this model does not take ${wanted.join(' or ')}. ${reason ?? ''}`.trim() };
  }
  return null;
}
