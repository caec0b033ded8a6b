import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { RejectedTool, SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import type { Store } from '../../../store/store.ts';
import type { EvaluationSources } from './evaluationSources.ts';
import { appendInstructions, formatInstructions } from '../tools/offeredTools.ts';
import { factsOf } from '../../clients/clientViews.ts';
import { presentTools } from '../tools/presentedTools.ts';
import type { PlannedEntry } from './plannedEntry.ts';

/** Cases or tasks that see the same servers, with the tools known before the start. */
export interface PlannedGroup {
  entries: readonly [PlannedEntry, ...PlannedEntry[]];
  /** Null when one of the servers was never listed. */
  tools: readonly SnapshotTool[] | null;
  /** Tools of these servers that nobody can use. */
  rejected: readonly RejectedTool[];
  /** Tools that the client hides as which they are presented, as `server:tool`. */
  hidden: readonly string[];
  system: string | null;
}

export interface PlannedRequest {
  entries: readonly PlannedEntry[];
  settings: Pick<EvaluationSettings, 'models' | 'repetitions' | 'serverInstructions'> &
    Partial<Pick<EvaluationSettings, 'topK' | 'client'>>;
  suite: Pick<EvaluationSources['suite'], 'system' | 'messages'>;
}

/** Tools that come with the request or with what it repeats, so that no listing is read. */
export type FixedToolTexts = readonly { tool: Omit<SnapshotTool, 'snapshotToolId' | 'hash'> }[];

interface ListedTools {
  tools: readonly SnapshotTool[];
  rejected: readonly RejectedTool[];
  instructions: string | null;
}

/**
 * Groups entries by their servers and reads what a model would be shown: from the latest listings,
 * or from the tools sent with the request.
 */
export function plannedGroups(
  store: Store,
  { entries, settings, suite }: PlannedRequest,
  fixed: FixedToolTexts | undefined,
): PlannedGroup[] {
  const listedOf = latestListings(store, fixed);
  return [...Map.groupBy(entries, ({ servers }) => JSON.stringify(servers)).values()].flatMap(
    ([first, ...others]): PlannedGroup[] => {
      if (!first) return [];
      const lists = first.servers.map((server) => ({ server, listed: listedOf(server) }));
      const instructions = settings.serverInstructions
        ? formatInstructions(
            lists.map(({ server, listed }) => ({
              server,
              instructions: listed?.instructions ?? null,
            })),
          )
        : null;
      const known = lists.every(({ listed }) => listed !== null);
      const tools = lists.flatMap(({ listed }) => listed?.tools ?? []);
      const rejected = lists.flatMap(({ listed }) => listed?.rejected ?? []);
      const { client } = settings;
      const presented =
        client === undefined || !known ? null : presentTools(tools, rejected, factsOf(client));
      return [
        {
          entries: [first, ...others],
          tools: known ? (presented?.shown ?? tools) : null,
          rejected,
          hidden: presented?.hidden.map(({ server, tool }) => toolId(server, tool)) ?? [],
          system: appendInstructions(suite.system, instructions),
        },
      ];
    },
  );
}

/** Looks up servers by name and reads each listing once. */
function latestListings(
  store: Store,
  fixed: FixedToolTexts | undefined,
): (server: string) => ListedTools | null {
  if (fixed) {
    const byServer = Map.groupBy(fixed, ({ tool }) => tool.server);
    return (server) => ({
      tools: (byServer.get(server) ?? []).map(({ tool }, index) => ({
        ...tool,
        snapshotToolId: index,
        hash: '',
      })),
      rejected: [],
      instructions: null,
    });
  }
  const ids = new Map(store.servers.list().map(({ id, name }) => [name, id]));
  const read = new Map<string, ListedTools | null>();
  return (server) => {
    const known = read.get(server);
    if (known !== undefined) return known;
    const id = ids.get(server);
    const listing = id === undefined ? null : store.serverListings.latest(id);
    const snapshot = listing === null ? null : store.toolSnapshots.get(listing.snapshotId);
    const own = snapshot?.servers.find((each) => each.server === server);
    const listed = snapshot && {
      tools: snapshot.tools,
      rejected: own?.rejected ?? [],
      instructions: own?.instructions ?? null,
    };
    read.set(server, listed);
    return listed;
  };
}
