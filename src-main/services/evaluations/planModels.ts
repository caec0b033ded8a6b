import type { InlineSources, PlannedModel, PlanProblem } from '../../../src-shared/domain/evaluation.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { modelLabel, type ModelConfiguration, type ModelSettings } from '../../../src-shared/domain/model.ts';
import { costOf } from '../../../src-shared/domain/price.ts';
import { alternatives } from '../../../src-shared/domain/testCase.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { ToolMapping } from '../../adapters/llm/chatModel.ts';
import { countTokens } from '../../analysis/tokens/encodings.ts';
import type { Store } from '../../store/store.ts';
import type { Prices } from '../models/prices.ts';
import type { EvaluationSources } from './evaluationSources.ts';
import { serversOf } from './planEvaluation.ts';

/** How a configuration would put tools before its model, known without a key and without asking anybody. */
export interface PlannedWires {
  /** Null where nothing is sent: a program without a model, a recording. */
  of(configuration: ModelConfiguration): {
    sent: ModelSettings['sent'];
    mapTools(tools: readonly SnapshotTool[]): ToolMapping;
    describeTool(tool: SnapshotTool): string;
    maximumTools: number;
    contextTokens: number | null;
  } | null;
}

/** What an answer is taken to cost where none was measured yet (docs/rules.md §3, Tokens and cost). */
const assumedAnswerTokens = 120;
const maximumWarnings = 20;

type ServerTools = readonly SnapshotTool[] | null;

/** What each model would be sent, as far as tools are known: from the last listings, or as they came with the call. */
export function planModels(
  { store, wires, prices }: { store: Store; wires: PlannedWires | undefined; prices: Prices },
  sources: EvaluationSources,
  inline: InlineSources | undefined,
): { models: PlannedModel[]; problems: PlanProblem[] } {
  const toolsOf = knownTools(store, inline);
  const groups = Map.groupBy(sources.cases, ({ content }) => JSON.stringify(serversOf(content, sources.settings, sources.suite.servers)));
  const problems: PlanProblem[] = [];
  const models = sources.settings.models.map((configuration, index): PlannedModel => {
    const label = modelLabel(configuration);
    const wire = wires?.of(configuration) ?? null;
    const price = prices.of(configuration);
    if (!wire) return { index, label, excluded: [], tools: null, inputTokens: null, outputTokens: null, price, costUsd: null };
    const excluded = new Map<string, string>();
    let most: number | null = 0;
    let tokens: number | null = 0;
    for (const [key, cases] of groups) {
      const lists = (JSON.parse(key) as string[]).map(toolsOf);
      if (lists.some((list) => list === null)) {
        [most, tokens] = [null, null];
        continue;
      }
      const tools = lists.flatMap((list) => list ?? []);
      const mapping = wire.mapTools(tools);
      for (const { tool, reason } of mapping.excluded) excluded.set(tool, reason);
      for (const { key: caseKey, content } of cases) {
        const lost = content.expectedCalls.find((call) => alternatives(call).every(({ server, tool }) => mapping.excluded.some((each) => each.tool === toolId(server, tool))));
        if (!lost || problems.length >= maximumWarnings) continue;
        const named = alternatives(lost).map(({ server, tool }) => toolId(server, tool)).join(' or ');
        problems.push({ severity: 'warning', caseKey, message: `Case ${caseKey} expects ${named}, which ${label} can't be offered: the run will not be scored.` });
      }
      // With the best k alone, k tools of the mean size.
      const { topK } = sources.settings;
      const offered = Math.min(mapping.names.length, topK ?? Infinity);
      const share = mapping.names.length === 0 ? 0 : offered / mapping.names.length;
      const perRequest = Math.round(tools.reduce((sum, tool) => sum + toolTokens(wire, tool), 0) * share);
      if (offered > wire.maximumTools) problems.push({ severity: 'warning', caseKey: cases[0]?.key ?? null, message: `${label} would be offered ${offered} tools, and it takes ${wire.maximumTools}: these ${cases.length} cases stop before anything is sent. Choose fewer servers.` });
      else if (wire.contextTokens !== null && perRequest > wire.contextTokens) problems.push({ severity: 'warning', caseKey: cases[0]?.key ?? null, message: `${label} would be sent about ${perRequest.toLocaleString('en')} tokens of tools, and it takes ${wire.contextTokens.toLocaleString('en')}: these ${cases.length} cases stop before anything is sent. Choose fewer servers.` });
      if (most !== null) most = Math.max(most, offered);
      if (tokens !== null) tokens += cases.reduce((sum, { content }) => sum + perRequest + countTokens(content.query), 0);
    }
    const fixed = [sources.suite.system ?? '', ...sources.suite.messages.map(({ content }) => content)].reduce((sum, text) => sum + countTokens(text), 0);
    const runs = sources.cases.length * sources.settings.repetitions;
    const inputTokens = tokens === null ? null : tokens * sources.settings.repetitions + fixed * runs;
    const outputTokens = assumedAnswerTokens * runs;
    return { index, label, excluded: [...excluded].map(([tool, reason]) => ({ tool, reason })), tools: most, inputTokens, outputTokens, price, costUsd: costOf({ input: inputTokens, output: outputTokens }, price) };
  });
  return { models, problems };
}

type Wire = NonNullable<ReturnType<PlannedWires['of']>>;

/** A plan is asked for at every change of a form: each tool is counted once. */
const counted = new Map<string, number>();
const maximumCounted = 20_000;

function toolTokens(wire: Wire, tool: SnapshotTool): number {
  // Deferred tools are not put before the model.
  if (wire.sent['defer_tools'] === true) return 0;
  const text = wire.describeTool(tool);
  const known = counted.get(text);
  if (known !== undefined) return known;
  if (counted.size >= maximumCounted) counted.clear();
  const tokens = countTokens(text);
  counted.set(text, tokens);
  return tokens;
}

function knownTools(store: Store, inline: InlineSources | undefined): (server: string) => ServerTools {
  if (inline?.tools) {
    const byServer = Map.groupBy(inline.tools, ({ tool }) => tool.server);
    return (server) => (byServer.get(server) ?? []).map(({ tool }, index) => ({ ...tool, snapshotToolId: index, hash: '' }));
  }
  const ids = new Map(store.servers.list().map(({ id, name }) => [name, id]));
  const read = new Map<string, ServerTools>();
  return (server) => {
    const known = read.get(server);
    if (known !== undefined) return known;
    const id = ids.get(server);
    const listing = id === undefined ? null : store.serverListings.latest(id);
    const tools = listing === null ? null : (store.toolSnapshots.get(listing.snapshotId)?.tools ?? null);
    read.set(server, tools);
    return tools;
  };
}
