import { providerTable, type Provider } from '../../../src-shared/domain/provider.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ScanReport, ScannedTool, ToolFinding } from '../../../src-shared/domain/security.ts';
import type { Tool, ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { ManagedTool } from '../../../src-shared/domain/workshop.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { StoredServer } from '../../store/servers/servers.ts';
import type { Store } from '../../store/store.ts';
import { hashTool } from '../../store/servers/toolSnapshots.ts';
import { bounded } from '../servers/boundedTool.ts';
import { readToolsFile } from '../servers/toolsFile.ts';
import { toolsSeen } from '../servers/toolsSeen.ts';
import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import { safeFileName } from '../suites/safeFileName.ts';
import { Corpora, corpusText, overviewOf } from './corpora.ts';
import { Examiner } from './examiner.ts';
import { judgeByModel } from './modelJudge.ts';
import { halfOf, readCorpus, readEntry } from './readCorpus.ts';
import { allFindings } from '../reports/subjects/securityShapes.ts';
import { scanTools, type ToolToScan } from './scanTools.ts';
import { scoreCorpus } from './scoreCorpus.ts';
import { readVerdicts } from './verdicts.ts';

export interface SecurityParts {
  store: Store;
  openChatModel: OpenChatModel;
  datasetsFolder: string;
}

/** How many listings back a change is looked for. */
const listingsBack = 50;

export class SecurityService implements ServiceFor<'security'> {
  readonly #parts: SecurityParts;
  readonly #corpora: Corpora;
  readonly #examiner = new Examiner();

  constructor(parts: SecurityParts) {
    this.#parts = parts;
    this.#corpora = new Corpora(parts.store, parts.datasetsFolder);
  }

  close(): Promise<void> {
    return this.#examiner.close();
  }

  async corpora(): Promise<Output<'security', 'corpora'>> {
    return (await this.#corpora.all()).map(overviewOf);
  }

  async corpus({ id }: Input<'security', 'corpus'>): Promise<Output<'security', 'corpus'>> {
    const corpus = await this.#corpora.get(id);
    return {
      ...overviewOf(corpus),
      content: corpus.entries.map((entry) => ({ ...entry, half: halfOf(entry.id) })),
    };
  }

  async copyCorpus({
    id,
    name,
  }: Input<'security', 'copyCorpus'>): Promise<Output<'security', 'copyCorpus'>> {
    const { version, entries } = await this.#corpora.get(id);
    return overviewOf(this.#corpora.add(name, version, entries));
  }

  async importCorpus({
    name,
    content,
  }: Input<'security', 'importCorpus'>): Promise<Output<'security', 'importCorpus'>> {
    const { version, entries } = readCorpus(content, name);
    return overviewOf(this.#corpora.add(name, version, entries));
  }

  async exportCorpus({
    id,
  }: Input<'security', 'exportCorpus'>): Promise<Output<'security', 'exportCorpus'>> {
    const corpus = await this.#corpora.get(id);
    return { fileName: safeFileName(corpus.name, '.json'), content: corpusText(corpus) };
  }

  async removeCorpus({
    id,
  }: Input<'security', 'removeCorpus'>): Promise<Output<'security', 'removeCorpus'>> {
    const corpus = await this.#corpora.editable(id);
    this.#parts.store.security.removeCorpus(id);
    return { name: corpus.name, content: corpusText(corpus) };
  }

  async saveEntry({
    corpusId,
    entry,
    isNew,
  }: Input<'security', 'saveEntry'>): Promise<Output<'security', 'saveEntry'>> {
    const corpus = await this.#corpora.editable(corpusId);
    const read = readEntry(entry, corpus.entries.length, corpus.name);
    const known = corpus.entries.some(({ id }) => id === read.id);
    if (isNew && known)
      throw new ServiceError('CONFLICT', {
        thing: `Entry ${read.id} of ${corpus.name}`,
        cause: 'Another entry has this id.',
        nextStep: 'Give it an id of its own.',
        field: 'id',
      });
    this.#parts.store.security.putEntry(corpusId, read);
    return read;
  }

  async deleteEntry({
    corpusId,
    id,
  }: Input<'security', 'deleteEntry'>): Promise<Output<'security', 'deleteEntry'>> {
    const corpus = await this.#corpora.editable(corpusId);
    const entry = corpus.entries.find((each) => each.id === id);
    this.#parts.store.security.deleteEntry(corpusId, id);
    if (!entry) throw new Error(`The entry ${id} was deleted without being there.`);
    return entry;
  }

  async score(
    { corpusId, half, detectors, judge }: Input<'security', 'score'>,
    { signal }: CallOptions,
  ): Promise<Output<'security', 'score'>> {
    const corpus = await this.#corpora.get(corpusId);
    const common = { corpus, half, signal, ...(detectors ? { detectors } : {}) };
    if (!judge) return scoreCorpus(this.#examiner, common);
    refuseWithoutModel(judge.model.provider);
    const model = await this.#parts.openChatModel(
      judge.model,
      judge.recordFile === null ? {} : { recordFile: judge.recordFile },
    );
    try {
      return await scoreCorpus(this.#examiner, {
        ...common,
        judge: (entries) => judgeByModel(entries, { model, runs: judge.runs, signal }),
      });
    } finally {
      await model.close();
    }
  }

  async scoreVerdicts(
    { corpusId, half, name, content }: Input<'security', 'scoreVerdicts'>,
    { signal }: CallOptions,
  ): Promise<Output<'security', 'scoreVerdicts'>> {
    const corpus = await this.#corpora.get(corpusId);
    return scoreCorpus(this.#examiner, {
      corpus,
      half,
      foreign: readVerdicts(content, name, corpus),
      signal,
    });
  }

  async scan(
    { serverIds }: Input<'security', 'scan'>,
    { signal }: CallOptions,
  ): Promise<Output<'security', 'scan'>> {
    return this.#scan(serverIds, signal);
  }

  async toolFindings(
    { serverId, evaluationId, workshopIds, tools }: Input<'security', 'toolFindings'>,
    { signal }: CallOptions,
  ): Promise<Output<'security', 'toolFindings'>> {
    if (serverId !== undefined) return allFindings((await this.#scan([serverId], signal)).tools);
    if (workshopIds !== undefined)
      return this.#beside(
        workshopIds.flatMap((id) => workshopTool(this.#parts.store.tools.get(id))),
        signal,
      );
    if (tools !== undefined)
      return this.#beside(
        tools.map((tool) => ({ ...tool, title: null, outputSchema: null, annotations: null })),
        signal,
      );
    const evaluation =
      evaluationId === undefined ? null : this.#parts.store.evaluations.get(evaluationId);
    if (!evaluation)
      throw new ServiceError('NOT_FOUND', {
        thing: 'The tools',
        cause: 'Neither a server nor an evaluation of this id is there.',
        nextStep: 'Reload the page.',
      });
    const snapshot =
      evaluation.snapshotId === null
        ? null
        : this.#parts.store.toolSnapshots.get(evaluation.snapshotId);
    if (!snapshot) return [];
    const seenBefore = this.#seenBefore(
      snapshot,
      this.#parts.store.events.firstAt(evaluation.id, 'ingested'),
    );
    const frozen = snapshot.tools.map(({ snapshotToolId: _id, hash, ...tool }) => ({
      serverId: null,
      tool: bounded(tool),
      hash,
      previous: seenBefore(tool, hash),
    }));
    return allFindings(await this.#examine(frozen, instructionsOf(snapshot), signal));
  }

  async scanFile(
    { fileName, text }: Input<'security', 'scanFile'>,
    { signal }: CallOptions,
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
        tool: bounded(tool),
        hash: hashTool(raw),
        previous: null,
      })),
      { accepted: this.#parts.store.security.acceptances(), around, signal },
    );
    return { servers: [], tools: scanned, rejected };
  }

  async accept(
    { serverId, fingerprint, reason }: Input<'security', 'accept'>,
    { signal }: CallOptions,
  ): Promise<Output<'security', 'accept'>> {
    const found = allFindings((await this.#scan([serverId], signal)).tools).find(
      (each) => each.fingerprint === fingerprint,
    );
    if (!found)
      throw new ServiceError('NOT_FOUND', {
        thing: 'The finding',
        cause: 'The tools of the server have no such finding (any more).',
        nextStep: 'Scan again: the tool may have changed.',
      });
    return {
      ...found,
      accepted: this.#parts.store.security.accept({
        fingerprint,
        server: found.server,
        tool: found.tool,
        reason,
      }),
    };
  }

  async withdraw({
    fingerprint,
  }: Input<'security', 'withdraw'>): Promise<Output<'security', 'withdraw'>> {
    return {
      withdrawn: this.#parts.store.security.withdraw(fingerprint),
    };
  }

  /**
   * The tools of the chosen servers are shown; those of all servers stand around them, since one
   * may shadow any other.
   */
  async #scan(serverIds: readonly string[] | null, signal: AbortSignal): Promise<ScanReport> {
    const { store } = this.#parts;
    const all = store.servers.list();
    for (const id of serverIds ?? []) {
      if (!all.some((server) => server.id === id))
        throw new ServiceError('NOT_FOUND', {
          thing: `Server ${id}`,
          cause: 'There is none of this id.',
          nextStep: 'Look in the list of servers.',
        });
    }
    const chosen = new Set(serverIds ?? all.map(({ id }) => id));
    const listed = all.map((server) => ({ server, ...this.#latest(server) }));
    const instructions = new Map(
      listed.flatMap(({ snapshot }) => (snapshot ? [...instructionsOf(snapshot)] : [])),
    );
    const tools = await this.#examine(
      listed.flatMap(({ tools }) => tools),
      instructions,
      signal,
    );
    return {
      servers: listed
        .filter(({ server }) => chosen.has(server.id))
        .map(({ server, at, snapshot }) => ({
          id: server.id,
          name: server.name,
          listedAt: at,
          problem: snapshot ? null : 'Its tools were not listed yet. List them on its page.',
        })),
      tools: tools.filter(({ serverId }) => serverId !== null && chosen.has(serverId)),
    };
  }

  /**
   * What a server published last is told as its scan tells it, acceptances and changes included;
   * anything else is examined among the tools of all servers.
   */
  async #beside(tools: readonly Tool[], signal: AbortSignal): Promise<ToolFinding[]> {
    const listed = this.#listed();
    const known = new Map(listed.map((each) => [contentOf(each.tool), each]));
    const given = tools.map(
      (tool) =>
        known.get(contentOf(tool)) ?? {
          serverId: null,
          tool: bounded(tool),
          hash: hashTool(contentOf(tool)),
          previous: null,
        },
    );
    return allFindings(
      await scanTools(this.#examiner, given, {
        accepted: this.#parts.store.security.acceptances(),
        around: listed.map(({ tool }) => tool),
        signal,
      }),
    );
  }

  /**
   * A tool as it was last seen before an evaluation froze another content of it. `frozenAt`: null
   * where its tools were given, and no server was asked.
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
            : toolsSeen(this.#parts.store, serverId, frozenAt);
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
      return known && tool && tool.hash !== hash ? { at: known.at, tool: bounded(tool) } : null;
    };
  }

  #listed(): ToolToScan[] {
    return this.#parts.store.servers.list().flatMap((server) => this.#latest(server).tools);
  }

  #examine(
    tools: readonly ToolToScan[],
    instructions: ReadonlyMap<string, string | null>,
    signal: AbortSignal,
  ): Promise<ScannedTool[]> {
    return scanTools(this.#examiner, tools, {
      instructions,
      accepted: this.#parts.store.security.acceptances(),
      signal,
    });
  }

  #latest(server: StoredServer): {
    snapshot: ToolSnapshot | null;
    at: string | null;
    tools: ToolToScan[];
  } {
    const { store } = this.#parts;
    const [latest, ...older] = store.serverListings.list(server.id, listingsBack);
    const snapshot = latest ? store.toolSnapshots.get(latest.snapshotId) : null;
    if (!latest || !snapshot) return { snapshot: null, at: null, tools: [] };
    // Only where something differs is an older listing read.
    const earlier = older
      .filter(({ snapshotId }) => snapshotId !== latest.snapshotId)
      .map(({ snapshotId, createdAt }) => ({
        at: createdAt,
        tools: new Map(store.toolSnapshots.get(snapshotId)?.tools.map((tool) => [tool.name, tool])),
      }));
    const previousOf = (name: string, hash: string): { at: string; tool: Tool } | null => {
      for (const { at, tools } of earlier) {
        const tool = tools.get(name);
        if (tool && tool.hash !== hash) return { at, tool: bounded(tool) };
      }
      return null;
    };
    const tools = snapshot.tools.map(({ snapshotToolId: _id, hash, ...tool }) => ({
      serverId: server.id,
      tool: bounded(tool),
      hash,
      previous: previousOf(tool.name, hash),
    }));
    return { snapshot, at: latest.createdAt, tools };
  }
}

/** Under this name a tool of the workshop stands among those of servers. */
const workshop = 'workshop';

function workshopTool(tool: ManagedTool | null): Tool[] {
  if (tool === null) return [];
  const { name, displayName, description, inputSchema, outputSchema } = tool.content;
  return [
    {
      server: workshop,
      name,
      title: displayName,
      description,
      inputSchema,
      outputSchema,
      annotations: null,
    },
  ];
}

const contentOf = ({ server, name, description, inputSchema }: Tool): string =>
  JSON.stringify([server, name, description, inputSchema]);

const instructionsOf = (snapshot: ToolSnapshot): Map<string, string | null> =>
  new Map(snapshot.servers.map(({ server, instructions }) => [server, instructions]));

/** The bundled rules pick tools; they can't judge a text. */
function refuseWithoutModel(provider: Provider): void {
  if (providerTable[provider].kind === 'local')
    throw new ServiceError('INVALID', {
      thing: 'The model as judge',
      cause: `${provider} is no model and judges nothing.`,
      nextStep: 'Choose a provider with a model, or score without it.',
      field: 'judge',
    });
}
