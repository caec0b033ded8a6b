import type { InlineSources } from '../../../../src-shared/domain/evaluation.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import type { Store } from '../../../store/store.ts';
import type { EvaluationSources, SourceCase } from './evaluationSources.ts';
import { appendInstructions, formatInstructions } from '../tools/offeredTools.ts';
import { serversOf } from './planEvaluation.ts';

/** Cases that see the same servers, with the tools known before the start. */
export interface PlannedGroup {
  cases: readonly [SourceCase, ...SourceCase[]];
  /** Null when one of the servers was never listed. */
  tools: readonly SnapshotTool[] | null;
  system: string | null;
}

/** The tools and instructions of one server. */
interface ListedTools {
  tools: readonly SnapshotTool[];
  instructions: string | null;
}

/**
 * Groups cases by their servers and reads what a model would be shown: from the latest listings, or
 * from the tools sent with the request.
 */
export function plannedGroups(
  store: Store,
  { settings, suite, cases }: Pick<EvaluationSources, 'settings' | 'suite' | 'cases'>,
  inline: InlineSources | undefined,
): PlannedGroup[] {
  const listedOf = latestListings(store, inline);
  return [
    ...Map.groupBy(cases, ({ content }) =>
      JSON.stringify(serversOf(content, settings, suite.servers)),
    ),
  ].flatMap(([key, [first, ...others]]): PlannedGroup[] => {
    if (!first) return [];
    const servers = JSON.parse(key) as string[];
    const lists = servers.map((server) => ({ server, listed: listedOf(server) }));
    const instructions = settings.serverInstructions
      ? formatInstructions(
          lists.map(({ server, listed }) => ({
            server,
            instructions: listed?.instructions ?? null,
          })),
        )
      : null;
    const known = lists.every(({ listed }) => listed !== null);
    return [
      {
        cases: [first, ...others],
        tools: known ? lists.flatMap(({ listed }) => listed?.tools ?? []) : null,
        system: appendInstructions(suite.system, instructions),
      },
    ];
  });
}

/** Looks up servers by name and reads each listing once. */
function latestListings(
  store: Store,
  inline: InlineSources | undefined,
): (server: string) => ListedTools | null {
  if (inline?.tools) {
    const byServer = Map.groupBy(inline.tools, ({ tool }) => tool.server);
    return (server) => ({
      tools: (byServer.get(server) ?? []).map(({ tool }, index) => ({
        ...tool,
        snapshotToolId: index,
        hash: '',
      })),
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
    const listed = snapshot && {
      tools: snapshot.tools,
      instructions: snapshot.servers.find((each) => each.server === server)?.instructions ?? null,
    };
    read.set(server, listed);
    return listed;
  };
}
