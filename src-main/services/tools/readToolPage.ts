import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { Advice } from '../../../src-shared/domain/advice.ts';
import { toolId as idOf } from '../../../src-shared/domain/labels.ts';
import type { Outcome } from '../../../src-shared/domain/outcome.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { ToolFindingKind, ToolPage } from '../../../src-shared/domain/toolPage.ts';
import { editTool, textAt, type TextEdit } from '../../../src-shared/domain/textEdit.ts';
import { orderFindings } from '../../../src-shared/metrics/orderFindings.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { CountedTool } from '../../analysis/tokens/toolTokens.ts';
import type { Store } from '../../store/store.ts';
import { adviceFromTools } from '../candidates/earlierTexts.ts';
import { hiddenServers } from '../../store/workspace/sampleMarks.ts';
import { editedRaw } from '../candidates/checkEdits.ts';
import type { CandidatesService } from '../candidates/candidatesService.ts';
import { lastListed, offeredNow } from '../candidates/offeredNow.ts';
import type { SecurityService } from '../security/securityService.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { findInTool, type FindingSources } from './findings.ts';

export interface ToolPageParts {
  store: Store;
  tokens: TokenCounts;
  security: Pick<SecurityService, 'toolFindings'>;
  candidates: Pick<CandidatesService, 'list' | 'problem'>;
}

const encoding = 'cl100k_base';
/** Evaluations among which the last one that expected a tool is looked for. */
const maxLookedAt = 100;
/** Listings whose texts of a tool are compared. */
const maxListings = 40;
const maxVersions = 10;
/** Other tools that a finding can be about; more would not be compared while a person waits. */
const maxTools = 300;

/**
 * Everything that is known of one tool. It is found in the last successful listing of its server,
 * else where it was seen last: an earlier listing, or a result. Throws NOT_FOUND for one that was
 * never seen. `lastResult` is the evaluation that the table of tools counts.
 */
export async function readToolPage(
  parts: ToolPageParts,
  { server, name, lastResult }: { server: string; name: string; lastResult: string | null },
  signal: AbortSignal,
): Promise<ToolPage> {
  const { store, candidates } = parts;
  const toolId = idOf(server, name);
  const registered = store.servers.getByName(server);
  const listed = registered === null ? null : lastListed(store, registered.id);
  const offeredOf = offeredNow(store);
  const own = offeredOf(server)?.find((tool) => tool.name === name) ?? null;
  const versions = registered === null ? [] : versionsOf(store, registered.id, { server, name });
  const tool = own ?? versions[0]?.tool ?? lastOffered(store, toolId);
  if (tool === null)
    throw new ServiceError('NOT_FOUND', {
      thing: `Tool ${toolId}`,
      cause: 'No server and no result has offered it.',
      nextStep: 'Choose one of the tools in the list.',
    });
  const hidden = hiddenServers(store);
  const others = store.servers
    .list()
    .filter((one) => one.name !== server)
    // As in the table: the sample and other servers are not compared with each other.
    .filter((one) => hidden.has(one.id) === hidden.has(registered?.id ?? ''))
    .flatMap((one) => offeredOf(one.name) ?? []);
  const siblings = (offeredOf(server) ?? []).filter((one) => one.name !== name);
  const tools = [tool, ...siblings, ...others].slice(0, maxTools);
  const proven = (await candidates.list({ toolId })).find(({ now }) => now === 'accepted') ?? null;
  const result = lastResult === null ? null : resultOf(store, toolId, lastResult);
  const problems: ToolPage['problems'] = [];
  /** What one source can't say is a problem of that source, not of the page. */
  const orElse = async <Value>(
    kind: ToolFindingKind,
    work: () => Promise<Value>,
    otherwise: Value,
  ): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!problems.some((one) => one.kind === kind))
        problems.push({ kind, reason: errorText(error) });
      return otherwise;
    }
  };
  const count = countsOf(parts, tool);
  const sources: FindingSources = {
    toolId,
    tools,
    rejected:
      listed?.snapshot.servers.flatMap(({ rejected }) =>
        rejected.map((one) => ({ ...one, server })),
      ) ?? [],
    settings: store.settings.get(),
    count: (edits) => orElse('tokens', () => count(edits), null),
    signals: (edits) =>
      orElse(
        'signals',
        () => signalsOf(parts, { tool, serverId: registered?.id, edits }, signal),
        [],
      ),
    advice: await orElse('requests', () => adviceFor(parts, { toolId, tools, result }, signal), []),
    calledInstead: new Map(
      result?.instead.map(({ called, times }) => [called, times.reduce((a, b) => a + b, 0)]),
    ),
  };
  const found = await findInTool(sources, []);
  const fixed = proven === null ? null : await findInTool(sources, proven.edits);
  const [before, after] = [
    await sources.count([]),
    proven === null ? null : await sources.count(proven.edits),
  ];
  return {
    toolId,
    serverId: registered?.id ?? null,
    tool,
    offered: own !== null,
    serverProblem:
      registered?.status === 'failed' ? (registered.statusReason ?? 'It failed.') : null,
    listedAt: listed?.at ?? null,
    tokens: before?.tokenCount ?? null,
    averageTokens: await averageOf(parts, [
      ...tools.filter((one) => one !== tool),
      ...(own ? [own] : []),
    ]),
    versions,
    findings: orderFindings(found, fixed),
    problems,
    proven,
    provenSaves: before === null || after === null ? null : before.tokenCount - after.tokenCount,
    result:
      result === null
        ? null
        : {
            id: result.id,
            number: result.number,
            models: result.models,
            instead: result.instead,
          },
    cases: casesOf(store, { server, name }, result),
  };
}

/** The texts of a tool in the listings of its server, each with the first listing that had it. */
function versionsOf(
  store: Store,
  serverId: string,
  { server, name }: { server: string; name: string },
): ToolPage['versions'] {
  const found: ToolPage['versions'] = [];
  for (const { snapshotId, createdAt: at } of store.serverListings.list(serverId, maxListings)) {
    const tool = store.toolSnapshots.get(snapshotId)?.tools.find((one) => one.name === name);
    if (tool === undefined) continue;
    const last = found.at(-1);
    if (last?.tool.hash === tool.hash) last.at = at;
    else if (found.length === maxVersions) break;
    else found.push({ at, tool: { ...tool, server } });
  }
  return found;
}

/** A tool as the last result that offered it has it. */
function lastOffered(store: Store, toolId: string): SnapshotTool | null {
  for (const { snapshotId } of store.evaluations.listOriginals(maxLookedAt)) {
    const tool =
      snapshotId === null
        ? undefined
        : store.toolSnapshots
            .get(snapshotId)
            ?.tools.find((one) => idOf(one.server, one.name) === toolId);
    if (tool) return tool;
  }
  return null;
}

interface FoundResult extends NonNullable<ToolPage['result']> {
  /** Scored runs, by case and model. */
  runs: ReadonlyMap<string, { runId: string; modelSettingsId: string; outcome: Outcome }[]>;
}

function resultOf(store: Store, toolId: string, id: string): FoundResult | null {
  const row = store.evaluations.get('case', id);
  if (row === null) return null;
  const rows = store.serverCases.runsOfTool(row.id, toolId);
  const models = row.modelSettingsIds.flatMap((id) => {
    const settings = store.modelSettings.of(row, id);
    const own = rows.filter((one) => one.modelSettingsId === id);
    const outcomes: NonNullable<ToolPage['result']>['models'][number]['outcomes'] = {};
    for (const { outcome } of own)
      outcomes[outcome as Outcome] = (outcomes[outcome as Outcome] ?? 0) + 1;
    return settings === null
      ? []
      : [{ id, name: modelLabel(settings), scored: own.length, outcomes }];
  });
  const instead = new Map<string, number[]>();
  for (const { instead: called, modelSettingsId } of rows)
    for (const one of called) {
      const times = instead.get(one) ?? models.map(() => 0);
      const at = models.findIndex((model) => model.id === modelSettingsId);
      times[at] = (times[at] ?? 0) + 1;
      instead.set(one, times);
    }
  const total = ({ times }: { times: number[] }): number => times.reduce((a, b) => a + b, 0);
  return {
    id: row.id,
    number: row.number,
    models,
    instead: [...instead]
      .map(([called, times]) => ({ called, times }))
      .sort((a, b) => total(b) - total(a)),
    runs: Map.groupBy(
      rows.map(({ outcome, ...one }) => ({ ...one, outcome: outcome as Outcome })),
      ({ caseId }) => caseId,
    ),
  };
}

/** Stored cases that expect the tool, those that fail with most models first. */
function casesOf(
  store: Store,
  { server, name }: { server: string; name: string },
  result: FoundResult | null,
): ToolPage['cases'] {
  const failed = ({ runs }: ToolPage['cases'][number]): number =>
    runs.filter((run) => run !== null && run.outcome !== 'passed').length;
  return store.serverCases
    .ofTool(server, name)
    .map(({ id, suiteId, suiteName, query }) => ({
      ...{ id, suiteId, suiteName, query },
      runs: (result?.models ?? []).map((model) => {
        const own = (result?.runs.get(id) ?? []).filter(
          ({ modelSettingsId }) => modelSettingsId === model.id,
        );
        const shown = own.find(({ outcome }) => outcome !== 'passed') ?? own[0];
        return shown === undefined ? null : { runId: shown.runId, outcome: shown.outcome };
      }),
    }))
    .sort((a, b) => failed(b) - failed(a));
}

/** Counts of the tool as it is and with edits. */
function countsOf({ store, tokens }: ToolPageParts, tool: SnapshotTool) {
  return async (edits: readonly TextEdit[]): Promise<CountedTool | null> => {
    const raw = store.toolSnapshots.raw(tool.hash);
    const text = edits.length === 0 ? raw : editedRaw(tool, raw, edits);
    const [found] = await tokens.counter.countTools([text], encoding);
    return found !== undefined && 'counted' in found ? found.counted : null;
  };
}

async function averageOf(
  { tokens }: ToolPageParts,
  tools: readonly SnapshotTool[],
): Promise<number | null> {
  const found = await tokens.soon(
    tools.map(({ hash }) => hash),
    encoding,
  );
  return found.size === 0
    ? null
    : [...found.values()].reduce((sum, { tokenCount }) => sum + tokenCount, 0) / found.size;
}

/** Signals that nobody marked as safe: of the server's listing, or of edited texts. */
async function signalsOf(
  { security }: ToolPageParts,
  {
    tool,
    serverId,
    edits,
  }: { tool: SnapshotTool; serverId: string | undefined; edits: readonly TextEdit[] },
  signal: AbortSignal,
) {
  const edited = editTool(tool, edits);
  const found = await security.toolFindings(
    edits.length === 0 && serverId !== undefined ? { serverId } : { tools: [edited] },
    { signal },
  );
  return found.filter(
    ({ server, tool: name, item, accepted }) =>
      accepted === null && item === undefined && server === edited.server && name === edited.name,
  );
}

/** What failures of the worst model advise, else what the tools alone do. */
async function adviceFor(
  { candidates, store }: ToolPageParts,
  {
    toolId,
    tools,
    result,
  }: { toolId: string; tools: readonly SnapshotTool[]; result: FoundResult | null },
  signal: AbortSignal,
): Promise<readonly Advice[]> {
  const share = ({ scored, outcomes }: FoundResult['models'][number]): number =>
    scored === 0 ? 1 : (outcomes.passed ?? 0) / scored;
  const [worst] = [...(result?.models ?? [])].sort((a, b) => share(a) - share(b));
  if (result !== null && worst !== undefined) {
    const { advice } = await candidates.problem(
      { evaluationId: result.id, modelSettingsId: worst.id, toolId, candidateId: null },
      { signal },
    );
    // Advice for a text that the server no longer has would undo what changed since.
    return advice.filter(({ edits }) =>
      edits.every(
        (edit) =>
          edit.type !== 'text' ||
          tools.some(
            (one) =>
              idOf(one.server, one.name) === edit.toolId && textAt(one, edit.path) === edit.oldText,
          ),
      ),
    );
  }
  return adviceFromTools(store, tools, toolId);
}
