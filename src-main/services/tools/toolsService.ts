import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { ToolRow, ToolServer } from '../../../src-shared/domain/toolRow.ts';
import { byWork, workReason } from '../../../src-shared/display/toolWork.ts';
import type { StoredToolResult } from '../../store/servers/toolResults.ts';
import type { Store } from '../../store/store.ts';
import type { CallOptions, ServiceFor } from '../contractTypes.ts';
import type { EvaluationReader } from '../results/read/evaluationReader.ts';
import type { SecurityService } from '../security/securityService.ts';
import { hiddenServers, sampleServers } from '../../store/workspace/sampleMarks.ts';
import type { SimilarityService } from '../similarity/similarityService.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { lastListed } from '../candidates/offeredNow.ts';
import { viewsInTurns, type ClientView } from '../clients/clientViews.ts';
import { readMatrix, readSeen } from '../clients/readClients.ts';
import { readToolPage, type ToolPageParts } from './readToolPage.ts';
import { ToolFacts, type ListedTool } from './toolFacts.ts';
import type { Candidate } from '../../../src-shared/domain/candidate.ts';

/** The first line of a text that has words, on one line. */
const firstLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^[#\s]+/, '').trim())
    .find((line) => line !== '') ?? '';

type Topic = ServiceFor<'tools'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

export interface ToolsParts extends Pick<ToolPageParts, 'candidates'> {
  store: Store;
  tokens: TokenCounts;
  reader: Pick<EvaluationReader, 'read'>;
  similarity: Pick<SimilarityService, 'compareStored'>;
  security: Pick<SecurityService, 'scan' | 'toolFindings'>;
}

/** As the pages of servers and tokens count. */
const encoding = 'cl100k_base';

/** What is known of the tools of registered servers, gathered from everything that is stored. */
export class ToolsService implements ServiceFor<'tools'> {
  readonly #parts: ToolsParts;
  readonly #facts: ToolFacts;
  /** Several parts of a page ask about the same listings. */
  #kept: { key: string; views: Promise<ClientView[]> } | null = null;
  #results: { key: string; read: Promise<Map<string, StoredToolResult>> } | null = null;

  constructor(parts: ToolsParts) {
    this.#parts = parts;
    this.#facts = new ToolFacts(parts);
  }

  close(): Promise<void> {
    return this.#facts.close();
  }

  async get({ server, tool }: Input<'get'>, { signal }: CallOptions): Answer<'get'> {
    const lastResult = (await this.#readResults()).get(toolId(server, tool))?.id ?? null;
    return readToolPage(this.#parts, { server, name: tool, lastResult }, signal);
  }

  async clients({ servers }: Input<'clients'>): Answer<'clients'> {
    return readMatrix(await this.#views(servers));
  }

  async seen(input: Input<'seen'>): Answer<'seen'> {
    const found = readSeen(await this.#views(input.servers ?? this.#others(input.server)), input);
    const texts = found.flatMap(({ text }) => text ?? []);
    const counts = await this.#parts.tokens.counter.countTools(texts, encoding);
    const tokens = new Map(
      texts.map((text, at) => {
        const one = counts[at];
        return [text, one !== undefined && 'counted' in one ? one.counted.tokenCount : null];
      }),
    );
    return found.map(({ seen, text }) => ({
      ...seen,
      tokens: text === null ? null : (tokens.get(text) ?? null),
    }));
  }

  /** What each client makes of the last successful listings of servers. */
  #views(servers: readonly string[] | undefined): Promise<ClientView[]> {
    const { store } = this.#parts;
    const counted = this.#scope(servers).servers.filter((one) => one.counted);
    const listings = counted.flatMap(({ id, name }) => {
      const snapshot = lastListed(store, id)?.snapshot;
      return snapshot === undefined ? [] : [{ name, snapshot }];
    });
    const key = JSON.stringify(listings.map(({ name, snapshot }) => [name, snapshot.id]));
    if (this.#kept?.key === key) return this.#kept.views;
    const views = viewsInTurns(
      listings.flatMap(({ name, snapshot }) =>
        snapshot.tools.map((tool) => ({ ...tool, server: name })),
      ),
      listings.flatMap(({ name, snapshot }) =>
        snapshot.servers.flatMap(({ rejected }) =>
          rejected.map((tool) => ({ ...tool, server: name })),
        ),
      ),
      new Map(
        listings.flatMap(({ name, snapshot }) =>
          snapshot.servers.map(({ instructions }) => [name, instructions ?? ''] as const),
        ),
      ),
    );
    this.#kept = { key, views };
    return views;
  }

  /** The servers that count, or only this one if it doesn't, such as one of the sample. */
  #others(server: string): string[] | undefined {
    return this.#scope(undefined).servers.some(({ name, counted }) => counted && name === server)
      ? undefined
      : [server];
  }

  async list({ servers: wanted, wait }: Input<'list'>): Answer<'list'> {
    const { store } = this.#parts;
    const { servers, all } = this.#scope(wanted);
    const listed = servers.filter(({ counted }) => counted).flatMap(({ id }) => all.get(id) ?? []);
    const [tokens, facts, signals, results] = await Promise.all([
      this.#tokens(listed, wait),
      this.#facts.compared(listed, wait),
      this.#facts.signals([...all.values()].flat(), wait),
      this.#readResults(),
    ]);
    const cases = store.toolRows.cases();
    const changes = this.#facts.changes(listed);
    const candidates = toolCandidates(await this.#parts.candidates.list({}));
    const similarFrom = store.settings.get().similarityThreshold;
    const rows = listed.map((tool): ToolRow => {
      const { server, serverId, name, hash, unseen } = tool;
      const id = toolId(server, name);
      const result = results.get(id);
      const changedAt = changes.get(tool);
      const row = {
        ...{ toolId: id, serverId, server, name, hash },
        summary: firstLine(tool.description) || (tool.title ?? ''),
        tokens: tokens.get(hash) ?? null,
        cases: cases.get(id) ?? 0,
        result: result ? withSimilarity(result, (other) => facts?.similarity(id, other)) : null,
        quality: facts?.quality.get(id) ?? null,
        mostSimilar: facts?.mostSimilar.get(id) ?? null,
        signals: signals?.get(id) ?? (signals && { open: 0, worst: null }),
        changed:
          changedAt === undefined
            ? null
            : {
                at: changedAt,
                unseen: unseen === 1,
                sinceResult: result !== undefined && result.createdAt < changedAt,
              },
        candidate: candidates.get(id) ?? null,
      };
      return { ...row, needsWork: workReason(row, similarFrom) };
    });
    return {
      servers: servers.map((server): ToolServer => {
        const own = all.get(server.id) ?? [];
        const counts = own.map(({ hash, tokens: known }) => tokens.get(hash) ?? known);
        return {
          ...server,
          tools: own.length,
          tokens: counts.reduce<number | null>(
            (sum, count) => (sum === null || count === null ? null : sum + count),
            0,
          ),
        };
      }),
      rows: rows.sort(byWork),
      complete:
        wait ||
        (facts !== null && signals !== null && listed.every(({ hash }) => tokens.has(hash))),
      similarFrom,
    };
  }

  /** All servers, which of them count, and the listed tools of each. */
  #scope(wanted: readonly string[] | undefined) {
    const { store } = this.#parts;
    const registered = store.servers.list();
    const unknown = wanted?.find((one) =>
      registered.every(({ id, name }) => id !== one && name !== one),
    );
    if (unknown !== undefined)
      throw new ServiceError('NOT_FOUND', {
        thing: `Server ${unknown}`,
        cause: "It doesn't exist.",
        nextStep: 'Choose a registered server.',
        field: 'servers',
      });
    const sample = sampleServers(store);
    const hidden = hiddenServers(store);
    const names = new Map(registered.map(({ id, name }) => [id, name]));
    const rows = store.toolRows
      .listed(encoding)
      .map((row): ListedTool => ({ ...row, server: names.get(row.serverId) ?? '' }));
    return {
      servers: registered.map(({ id, name }) => ({
        id,
        name,
        sample: sample.has(id),
        counted: wanted ? wanted.includes(id) || wanted.includes(name) : !hidden.has(id),
      })),
      all: Map.groupBy(rows, ({ serverId }) => serverId),
    };
  }

  /** Counts by hash; with `wait` also those that were not counted before. */
  async #tokens(listed: readonly ListedTool[], wait: boolean): Promise<Map<string, number>> {
    const missing = wait ? listed.filter(({ tokens }) => tokens === null) : [];
    const counted = await this.#parts.tokens.soon(
      missing.map(({ hash }) => hash),
      encoding,
    );
    return new Map([
      ...listed.flatMap(({ hash, tokens }) =>
        tokens === null ? [] : ([[hash, tokens]] as [string, number][]),
      ),
      ...[...counted].map(([hash, { tokenCount }]): [string, number] => [hash, tokenCount]),
    ]);
  }

  /** Read again once an evaluation ended, was scored again, or was deleted. */
  #readResults(): Promise<Map<string, StoredToolResult>> {
    const { store, reader } = this.#parts;
    const { key, plannedRuns } = store.toolResults.basis();
    if (this.#results?.key !== key) {
      const read = reader.read({ plannedRuns }, { kind: 'toolResults' });
      const own = (this.#results = { key, read });
      read.catch(() => {
        if (this.#results === own) this.#results = null;
      });
    }
    return this.#results.read;
  }
}

const withSimilarity = (
  { models, ...result }: StoredToolResult,
  similarity: (other: string) => number | undefined,
): ToolRow['result'] => ({
  ...result,
  models: models.map(({ instead, ...model }) => ({
    ...model,
    instead: instead.map((one) => ({ ...one, similarity: similarity(one.toolId) ?? null })),
  })),
});

/** By tool, the candidate that matters most: a proven one that waits, else the newest. */
function toolCandidates(
  candidates: readonly Candidate[],
): Map<string, NonNullable<ToolRow['candidate']>> {
  return new Map(
    [...Map.groupBy(candidates, ({ toolId }) => toolId)].flatMap(([toolId, own]) => {
      const first = own.find(({ now }) => now === 'accepted') ?? own[0];
      if (first === undefined) return [];
      const { id, now: state, proof } = first;
      return [[toolId, { id, state, won: proof?.won ?? null, lost: proof?.lost ?? null }]];
    }),
  );
}
