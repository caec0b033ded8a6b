import type { ClientId } from '../../../../src-shared/domain/clientFacts.ts';
import { clientNames, foundText } from '../../../../src-shared/display/clientTexts.ts';
import { counted, formatAbout, formatCount } from '../../../../src-shared/display/numbers.ts';
import type { PlannedModel, PlanProblem } from '../../../../src-shared/domain/evaluationPlan.ts';
import type { ModelConfiguration, ModelSettings } from '../../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { costOf } from '../../../../src-shared/domain/price.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import type { ToolMapping } from '../../../adapters/llm/chatModel.ts';
import { countTokens } from '../../../analysis/tokens/encodings.ts';
import { factsOf, presentedAsText } from '../../clients/clientViews.ts';
import { accountOf, type SentGroup } from '../tools/sentTools.ts';
import type { Prices } from '../../models/prices.ts';
import type { FindProgram } from './plannedPrograms.ts';
import { assumedAnswerTokens, promptTokens } from './plannedEntry.ts';
import type { PlannedGroup, PlannedRequest } from './plannedGroups.ts';

/** How a configuration would send tools to its model. Needs no key and no request. */
export interface PlannedWires {
  /** Null when nothing is sent: a program without a model, or a recording. */
  of(configuration: ModelConfiguration): {
    sent: ModelSettings['sent'];
    mapTools(tools: readonly SnapshotTool[]): ToolMapping;
    describeTool(tool: SnapshotTool): string;
    maxTools: number;
    contextTokens: number | null;
    /** Whether its provider has an endpoint that counts the tokens of a request. */
    countable: boolean;
  } | null;
  /** When absent, plans say nothing about programs of agents. */
  program?: FindProgram;
}

const maxWarnings = 20;

/**
 * Tokens that the provider counted for the first request of each group, or a note that says why it
 * could not.
 */
export type PlannedCounts = ReadonlyMap<
  ModelConfiguration,
  { byGroup: ReadonlyMap<PlannedGroup, number>; note: string | null }
>;

interface PlanParts {
  wires: PlannedWires | undefined;
  prices: Prices;
  /** What an entry is called. */
  unit?: 'case' | 'task';
}

/** What of the client's presentation is assumed or left out; nothing for one that shows its tools. */
function presentationProblems(client: ClientId | undefined): PlanProblem[] {
  if (client === undefined) return [];
  const facts = factsOf(client);
  if (facts.assumed.length === 0 && foundText(facts) === '') return [];
  const message = `${presentedAsText(client)} The result is not what ${clientNames[client]} would get.`;
  return [{ severity: 'warning', caseKey: null, message }];
}

/**
 * Estimates tokens and cost, and accounts for the tools that each model is sent. When the first request of every group
 * was counted, only the differences between queries are estimated; otherwise everything is.
 */
export function planModels(
  { wires, prices, unit = 'case' }: PlanParts,
  { entries, settings, suite }: PlannedRequest,
  groups: readonly PlannedGroup[],
  counts: PlannedCounts = new Map(),
): { models: PlannedModel[]; problems: PlanProblem[] } {
  const problems: PlanProblem[] = presentationProblems(settings.client);
  const { topK = null, repetitions } = settings;
  const models = settings.models.map((configuration, index): PlannedModel => {
    const label = modelLabel(configuration);
    const wire = wires?.of(configuration) ?? null;
    const price = prices.of(configuration);
    if (!wire)
      return {
        index,
        label,
        sent: null,
        tools: null,
        inputTokens: null,
        outputTokens: null,
        tokenSource: null,
        countable: false,
        countNote: null,
        price,
        costUsd: null,
      };
    const count = counts.get(configuration);
    const allCounted = count !== undefined && groups.every((group) => count.byGroup.has(group));
    const sent: SentGroup[] = [];
    let maxOffered: number | null = 0;
    let tokens: number | null = 0;
    for (const group of groups) {
      const { entries: grouped, tools, system } = group;
      const [{ key: firstKey }] = grouped;
      if (tools === null) {
        [maxOffered, tokens] = [null, null];
        continue;
      }
      const mapping = wire.mapTools(tools);
      sent.push({ tools, rejected: group.rejected, mapping });
      for (const { key, expects } of index === 0 ? grouped : []) {
        const hidden = expects.find((alternatives) =>
          alternatives.every((name) => group.hidden.some((tool) => isNamed(tool, name))),
        );
        if (!hidden || settings.client === undefined || problems.length >= maxWarnings) continue;
        problems.push({
          severity: 'warning',
          caseKey: key,
          message: `${unit === 'case' ? 'Case' : 'Task'} ${key} expects ${hidden.join(' or ')}, which ${clientNames[settings.client]} hides: its runs can't pass.`,
        });
      }
      for (const { key, expects } of grouped) {
        const missing = expects.find((alternatives) =>
          alternatives.every((name) => mapping.excluded.some(({ tool }) => isNamed(tool, name))),
        );
        if (!missing || problems.length >= maxWarnings) continue;
        problems.push({
          severity: 'warning',
          caseKey: key,
          message:
            `${unit === 'case' ? 'Case' : 'Task'} ${key} expects ${missing.join(' or ')}, which ${label} can't be ` +
            `offered: ${unit === 'case' ? 'the run will not be scored.' : "its runs can't succeed."}`,
        });
      }
      // A top-k evaluation sends k tools; their size is estimated by the mean.
      const offered = Math.min(mapping.names.length, topK ?? Infinity);
      const share = mapping.names.length === 0 ? 0 : offered / mapping.names.length;
      const toolsTokens = Math.round(
        tools.reduce((sum, tool) => sum + toolTokens(wire, tool), 0) * share,
      );
      if (offered > wire.maxTools)
        problems.push({
          severity: 'warning',
          caseKey: firstKey,
          message:
            `${label} would be offered ${offered} tools, and it takes ${wire.maxTools}: ` +
            `${counted(grouped.length, unit)} would stop before anything is sent. Choose fewer servers.`,
        });
      else if (wire.contextTokens !== null && toolsTokens > wire.contextTokens)
        problems.push({
          severity: 'warning',
          caseKey: firstKey,
          message:
            `${label} would be sent about ${formatAbout(toolsTokens)} tokens of tools, ` +
            `and it takes ${formatCount(wire.contextTokens)}: ` +
            `${counted(grouped.length, unit)} would stop before anything is sent. Choose fewer servers.`,
        });
      if (maxOffered !== null) maxOffered = Math.max(maxOffered, offered);
      const first = allCounted ? count.byGroup.get(group) : undefined;
      const fixedTokens =
        first === undefined
          ? toolsTokens + promptTokens({ system, messages: suite.messages })
          : first - countTokens(grouped[0].query);
      if (tokens !== null)
        tokens += grouped.reduce(
          (sum, { requests, ownTokens }) => sum + requests * fixedTokens + ownTokens,
          0,
        );
    }
    const inputTokens = tokens === null ? null : tokens * repetitions;
    const outputTokens =
      assumedAnswerTokens * repetitions * entries.reduce((sum, { requests }) => sum + requests, 0);
    return {
      index,
      label,
      sent: groups.some(({ tools }) => tools === null) ? null : accountOf(sent),
      tools: maxOffered,
      inputTokens,
      outputTokens,
      tokenSource: inputTokens === null ? null : allCounted ? 'counted' : 'estimated',
      countable: wire.countable,
      countNote: count?.note ?? null,
      price,
      costUsd: costOf({ input: inputTokens, output: outputTokens }, price),
    };
  });
  return { models, problems };
}

/** Whether a tool's id has a name, which may leave out the server. */
const isNamed = (id: string, name: string): boolean => id === name || id.endsWith(`:${name}`);

type Wire = NonNullable<ReturnType<PlannedWires['of']>>;

/**
 * Token counts by tool text. The form asks for a plan at every change, so each tool is counted
 * once.
 */
const knownCounts = new Map<string, number>();
const maxCachedCounts = 20_000;

function toolTokens(wire: Wire, tool: SnapshotTool): number {
  // Deferred tools are not part of the prompt.
  if (wire.sent['defer_tools'] === true) return 0;
  const text = wire.describeTool(tool);
  const known = knownCounts.get(text);
  if (known !== undefined) return known;
  if (knownCounts.size >= maxCachedCounts) knownCounts.clear();
  const tokens = countTokens(text);
  knownCounts.set(text, tokens);
  return tokens;
}

/** Null when the cost of one model is unknown, or when none is asked. */
export function totalCost(
  models: readonly Pick<PlannedModel, 'costUsd' | 'outputTokens'>[],
): number | null {
  const asked = models.filter(({ outputTokens }) => outputTokens !== null);
  let total = 0;
  for (const { costUsd } of asked) {
    if (costUsd === null) return null;
    total += costUsd;
  }
  return asked.length === 0 ? null : total;
}
