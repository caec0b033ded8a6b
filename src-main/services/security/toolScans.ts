import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ScanReport, ScannedTool, ToolFinding } from '../../../src-shared/domain/security.ts';
import type { ItemKind } from '../../../src-shared/domain/itemKinds.ts';
import { itemKey, type SnapshotItem } from '../../../src-shared/domain/serverItem.ts';
import type { Tool, ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { ManagedTool } from '../../../src-shared/domain/workshop.ts';
import { hashTool } from '../../store/servers/toolSnapshots.ts';
import type { StoredListing } from '../../store/servers/serverListings.ts';
import type { StoredServer } from '../../store/servers/servers.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output } from '../contractTypes.ts';
import { allFindings } from './scannedTools.ts';
import { limitSchemaDepth } from '../servers/limitSchemaDepth.ts';
import { readToolsFile } from '../servers/toolsFile.ts';
import { toolsSeen } from '../servers/toolsSeen.ts';
import type { Examiner } from './examiner.ts';
import { scanTools, type Instructions, type ItemToScan, type ToolToScan } from './scanTools.ts';
import { notFound } from '../../store/database/table.ts';

/** How many of the latest listings are searched for an earlier version of a tool. */
const maxListingsBack = 50;

/** Scans the tools of servers, of an evaluation, of the workshop, or of a file. */
export class ToolScans {
  readonly #store: Store;
  readonly #examiner: Examiner;

  constructor(store: Store, examiner: Examiner) {
    this.#store = store;
    this.#examiner = examiner;
  }

  /**
   * Reports the tools of the chosen servers, but examines those of all servers, since any tool may
   * shadow another.
   */
  async scan(serverIds: readonly string[] | null, signal: AbortSignal): Promise<ScanReport> {
    const store = this.#store;
    const all = store.servers.list();
    for (const id of serverIds ?? []) {
      if (!all.some((server) => server.id === id))
        throw notFound('Server', id, 'Choose one from the list of servers.');
    }
    const chosen = new Set(serverIds ?? all.map(({ id }) => id));
    const listed = all.map((server) => ({ server, ...this.#latest(server) }));
    const instructions = new Map(
      listed.flatMap(({ snapshot, instructedSince }) =>
        snapshot ? [...instructionsOf(snapshot, instructedSince)] : [],
      ),
    );
    const tools = await this.#examine(
      listed.flatMap(({ tools }) => tools),
      instructions,
      signal,
      listed.flatMap(({ server, items }) => (chosen.has(server.id) ? items : [])),
    );
    return {
      servers: listed
        .filter(({ server }) => chosen.has(server.id))
        .map(({ server, at, snapshot }) => ({
          id: server.id,
          name: server.name,
          listedAt: at,
          problem: snapshot ? null : 'Not scanned yet: list its tools first.',
        })),
      tools: tools.filter(({ serverId }) => serverId !== null && chosen.has(serverId)),
    };
  }

  async findings(
    { serverId, evaluationId, workshopIds, tools }: Input<'security', 'toolFindings'>,
    signal: AbortSignal,
  ): Promise<Output<'security', 'toolFindings'>> {
    if (serverId !== undefined) return allFindings((await this.scan([serverId], signal)).tools);
    if (workshopIds !== undefined)
      return this.#amongListed(
        workshopIds.flatMap((id) => workshopTool(this.#store.tools.get(id))),
        signal,
      );
    if (tools !== undefined)
      return this.#amongListed(
        tools.map((tool) => ({ ...tool, title: null, outputSchema: null, annotations: null })),
        signal,
      );
    return this.#findingsOfEvaluation(evaluationId, signal);
  }

  async #findingsOfEvaluation(
    evaluationId: string | undefined,
    signal: AbortSignal,
  ): Promise<ToolFinding[]> {
    const evaluation =
      evaluationId === undefined ? null : this.#store.evaluations.get('case', evaluationId);
    if (!evaluation)
      throw new ServiceError('NOT_FOUND', {
        thing: 'The tools',
        cause: 'No server or evaluation has this ID.',
        nextStep: 'Reload the page.',
      });
    const snapshot =
      evaluation.snapshotId === null ? null : this.#store.toolSnapshots.get(evaluation.snapshotId);
    if (!snapshot) return [];
    const seenBefore = this.#seenBefore(
      snapshot,
      this.#store.events.firstAt(evaluation.id, 'ingested'),
    );
    const frozen = snapshot.tools.map(({ snapshotToolId: _id, hash, ...tool }) => ({
      serverId: null,
      tool: limitSchemaDepth(tool),
      hash,
      previous: seenBefore(tool, hash),
    }));
    return allFindings(await this.#examine(frozen, instructionsOf(snapshot), signal));
  }

  async scanFile(
    { fileName, text }: Input<'security', 'scanFile'>,
    signal: AbortSignal,
  ): Promise<Output<'security', 'scanFile'>> {
    const { tools, rejected } = readToolsFile(text, fileName);
    const names = new Set(tools.map(({ tool }) => tool.server));
    const around = this.#listed()
      .filter(({ tool }) => !names.has(tool.server))
      .map(({ tool }) => tool);
    const scanned = await scanTools(
      this.#examiner,
      tools.map(({ tool, raw }) => ({
        serverId: null,
        tool: limitSchemaDepth(tool),
        hash: hashTool(raw),
        previous: null,
      })),
      { accepted: this.#store.security.acceptances(), around, signal },
    );
    return { servers: [], tools: scanned, rejected };
  }

  /**
   * A tool that a server published last gets the findings of that server's scan, including
   * acceptances and changes. Any other tool is examined with the tools of all servers as peers.
   */
  async #amongListed(tools: readonly Tool[], signal: AbortSignal): Promise<ToolFinding[]> {
    const listed = this.#listed();
    const known = new Map(listed.map((each) => [contentKey(each.tool), each]));
    const given = tools.map(
      (tool) =>
        known.get(contentKey(tool)) ?? {
          serverId: null,
          tool: limitSchemaDepth(tool),
          hash: hashTool(contentKey(tool)),
          previous: null,
        },
    );
    return allFindings(
      await scanTools(this.#examiner, given, {
        accepted: this.#store.security.acceptances(),
        around: listed.map(({ tool }) => tool),
        signal,
      }),
    );
  }

  /**
   * Looks up a tool as it was last seen before an evaluation froze a changed version. `frozenAt` is
   * null if the tools were given and no server was asked.
   */
  #seenBefore(
    { servers }: ToolSnapshot,
    frozenAt: string | null,
  ): (tool: Tool, hash: string) => ToolToScan['previous'] {
    const before = new Map(
      servers.flatMap(({ server, serverId }) => {
        const seen =
          serverId === null || frozenAt === null
            ? null
            : toolsSeen(this.#store, serverId, frozenAt);
        return seen === null
          ? []
          : [
              [
                server,
                {
                  at: seen.at,
                  tools: new Map(seen.snapshot.tools.map((tool) => [tool.name, tool])),
                },
              ] as const,
            ];
      }),
    );
    return ({ server, name }, hash) => {
      const known = before.get(server);
      const tool = known?.tools.get(name);
      return known && tool && tool.hash !== hash
        ? { at: known.at, tool: limitSchemaDepth(tool) }
        : null;
    };
  }

  #listed(): ToolToScan[] {
    return this.#store.servers.list().flatMap((server) => this.#latest(server).tools);
  }

  #examine(
    tools: readonly ToolToScan[],
    instructions: ReadonlyMap<string, Instructions>,
    signal: AbortSignal,
    items: readonly ItemToScan[] = [],
  ): Promise<ScannedTool[]> {
    return scanTools(this.#examiner, tools, {
      instructions,
      accepted: this.#store.security.acceptances(),
      items,
      signal,
    });
  }

  #latest(server: StoredServer): {
    snapshot: ToolSnapshot | null;
    at: string | null;
    tools: ToolToScan[];
    items: ItemToScan[];
    instructedSince: string | null;
  } {
    const store = this.#store;
    const [latest, ...older] = store.serverListings.list(server.id, maxListingsBack);
    const snapshot = latest ? store.toolSnapshots.get(latest.snapshotId) : null;
    if (!latest || !snapshot)
      return { snapshot: null, at: null, tools: [], items: [], instructedSince: null };
    const firstSeen = store.serverListings.firstSeen(server.id, latest.snapshotId);
    // Older listings are read only if they differ.
    const earlier = older
      .filter(({ snapshotId }) => snapshotId !== latest.snapshotId)
      .map(({ snapshotId, createdAt }) => ({
        at: createdAt,
        tools: new Map(store.toolSnapshots.get(snapshotId)?.tools.map((tool) => [tool.name, tool])),
      }));
    const previousOf = (name: string, hash: string): { at: string; tool: Tool } | null => {
      for (const { at, tools } of earlier) {
        const tool = tools.get(name);
        if (tool && tool.hash !== hash) return { at, tool: limitSchemaDepth(tool) };
      }
      return null;
    };
    const tools = snapshot.tools.map(({ snapshotToolId: _id, hash, ...tool }) => ({
      serverId: server.id,
      tool: limitSchemaDepth(tool),
      hash,
      previous: previousOf(tool.name, hash),
      firstSeenAt: firstSeen.tools.get(hash) ?? null,
    }));
    return {
      snapshot,
      at: latest.createdAt,
      tools,
      items: this.#items(server, latest, older, firstSeen.tools),
      instructedSince: firstSeen.instructions,
    };
  }

  /** What a server offers besides tools, with the version before the last change of each. */
  #items(
    server: StoredServer,
    latest: StoredListing,
    older: readonly StoredListing[],
    firstSeen: ReadonlyMap<string, string>,
  ): ItemToScan[] {
    const store = this.#store;
    const idOf = ({ kind, key }: { kind: ItemKind; key: string }): string => `${kind} ${key}`;
    const now = store.serverItems.of(latest.snapshotId, server.name);
    if (now.length === 0) return [];
    const earlier = older
      .filter(({ snapshotId }) => snapshotId !== latest.snapshotId)
      .map(({ snapshotId, createdAt }) => ({
        at: createdAt,
        snapshotId,
        hashes: new Map(
          store.serverItems.references(snapshotId).map((item) => [idOf(item), item.hash]),
        ),
      }));
    const previousOf = (item: SnapshotItem): ItemToScan['previous'] => {
      const id = idOf({ kind: item.kind, key: itemKey(item) });
      for (const { at, snapshotId, hashes } of earlier) {
        const hash = hashes.get(id);
        if (hash === undefined || hash === item.hash) continue;
        const before = store.serverItems
          .of(snapshotId, server.name)
          .find((each) => each.hash === hash);
        if (before) return { at, item: before };
      }
      return null;
    };
    return now.map((item) => ({
      serverId: server.id,
      item,
      previous: previousOf(item),
      firstSeenAt: firstSeen.get(item.hash) ?? null,
    }));
  }
}

const workshopServerName = 'workshop';

function workshopTool(tool: ManagedTool | null): Tool[] {
  if (tool === null) return [];
  const { name, displayName, description, inputSchema, outputSchema } = tool.content;
  return [
    {
      server: workshopServerName,
      name,
      title: displayName,
      description,
      inputSchema,
      outputSchema,
      annotations: null,
    },
  ];
}

const contentKey = ({ server, name, description, inputSchema }: Tool): string =>
  JSON.stringify([server, name, description, inputSchema]);

const instructionsOf = (
  snapshot: ToolSnapshot,
  firstSeenAt: string | null = null,
): Map<string, Instructions> =>
  new Map(
    snapshot.servers.map(({ server, instructions }) => [
      server,
      { text: instructions, firstSeenAt },
    ]),
  );
