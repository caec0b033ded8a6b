import { formatCount } from '../../../../src-shared/display/numbers.ts';
import type { PlannedModel, PlanProblem } from '../../../../src-shared/domain/evaluationPlan.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ModelConfiguration, ModelSettings } from '../../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { costOf } from '../../../../src-shared/domain/price.ts';
import { alternatives } from '../../../../src-shared/domain/testCase.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import type { ToolMapping } from '../../../adapters/llm/chatModel.ts';
import { countTokens } from '../../../analysis/tokens/encodings.ts';
import type { Prices } from '../../models/prices.ts';
import type { EvaluationSources } from './evaluationSources.ts';
import type { PlannedGroup } from './plannedGroups.ts';

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
}

/** Assumed output tokens of an answer that was not measured (docs/rules.md §3, Tokens and cost). */
const assumedAnswerTokens = 120;
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
}

/**
 * Estimates tokens, cost and excluded tools for each model. When the first request of every group
 * was counted, only the differences between queries are estimated; otherwise everything is.
 */
export function planModels(
  { wires, prices }: PlanParts,
  sources: EvaluationSources,
  groups: readonly PlannedGroup[],
  counts: PlannedCounts = new Map(),
): { models: PlannedModel[]; problems: PlanProblem[] } {
  const problems: PlanProblem[] = [];
  const { topK, repetitions } = sources.settings;
  const models = sources.settings.models.map((configuration, index): PlannedModel => {
    const label = modelLabel(configuration);
    const wire = wires?.of(configuration) ?? null;
    const price = prices.of(configuration);
    if (!wire)
      return {
        index,
        label,
        excluded: [],
        tools: null,
        inputTokens: null,
        outputTokens: null,
        tokenSource: null,
        countable: false,
        countNote: null,
        price,
        costUsd: null,
      };
    const counted = counts.get(configuration);
    const allCounted = counted !== undefined && groups.every((group) => counted.byGroup.has(group));
    const excluded = new Map<string, string>();
    let maxOffered: number | null = 0;
    let tokens: number | null = 0;
    for (const group of groups) {
      const { cases, tools, system } = group;
      if (tools === null) {
        [maxOffered, tokens] = [null, null];
        continue;
      }
      const mapping = wire.mapTools(tools);
      for (const { tool, reason } of mapping.excluded) excluded.set(tool, reason);
      for (const { key: caseKey, content } of cases) {
        const excludedCall = content.expectedCalls.find((call) =>
          alternatives(call).every(({ server, tool }) =>
            mapping.excluded.some((each) => each.tool === toolId(server, tool)),
          ),
        );
        if (!excludedCall || problems.length >= maxWarnings) continue;
        const named = alternatives(excludedCall)
          .map(({ server, tool }) => toolId(server, tool))
          .join(' or ');
        problems.push({
          severity: 'warning',
          caseKey,
          message:
            `Case ${caseKey} expects ${named}, which ${label} can't be offered: the run will ` +
            'not be scored.',
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
          caseKey: cases[0].key,
          message:
            `${label} would be offered ${offered} tools, and it takes ${wire.maxTools}: these ` +
            `${cases.length} cases stop before anything is sent. Choose fewer servers.`,
        });
      else if (wire.contextTokens !== null && toolsTokens > wire.contextTokens)
        problems.push({
          severity: 'warning',
          caseKey: cases[0].key,
          message:
            `${label} would be sent about ${formatCount(toolsTokens)} tokens of tools, ` +
            `and it takes ${formatCount(wire.contextTokens)}: these ${cases.length} ` +
            'cases stop before anything is sent. Choose fewer servers.',
        });
      if (maxOffered !== null) maxOffered = Math.max(maxOffered, offered);
      const first = allCounted ? counted.byGroup.get(group) : undefined;
      const fixedTokens =
        first === undefined
          ? toolsTokens +
            textTokens([system ?? '', ...sources.suite.messages.map(({ content }) => content)])
          : first - countTokens(cases[0].content.query);
      if (tokens !== null)
        tokens += cases.reduce(
          (sum, { content }) => sum + fixedTokens + countTokens(content.query),
          0,
        );
    }
    const inputTokens = tokens === null ? null : tokens * repetitions;
    const outputTokens = assumedAnswerTokens * sources.cases.length * repetitions;
    return {
      index,
      label,
      excluded: [...excluded].map(([tool, reason]) => ({ tool, reason })),
      tools: maxOffered,
      inputTokens,
      outputTokens,
      tokenSource: inputTokens === null ? null : allCounted ? 'counted' : 'estimated',
      countable: wire.countable,
      countNote: counted?.note ?? null,
      price,
      costUsd: costOf({ input: inputTokens, output: outputTokens }, price),
    };
  });
  return { models, problems };
}

/** Estimated tokens of several texts. */
function textTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}

type Wire = NonNullable<ReturnType<PlannedWires['of']>>;

/**
 * Token counts by tool text. The form asks for a plan at every change, so each tool is counted
 * once.
 */
const counted = new Map<string, number>();
const maxCachedCounts = 20_000;

function toolTokens(wire: Wire, tool: SnapshotTool): number {
  // Deferred tools are not part of the prompt.
  if (wire.sent['defer_tools'] === true) return 0;
  const text = wire.describeTool(tool);
  const known = counted.get(text);
  if (known !== undefined) return known;
  if (counted.size >= maxCachedCounts) counted.clear();
  const tokens = countTokens(text);
  counted.set(text, tokens);
  return tokens;
}
