import { toolId } from '../../../src-shared/domain/labels.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { CutTrial, TokenReport, ToolUse } from '../../../src-shared/domain/tokenReport.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import type { WhatIfChange } from '../../../src-shared/domain/whatIf.ts';
import {
  bigSchema,
  longDescription,
  tokenCuts,
  type CutKind,
} from '../../../src-shared/metrics/tokenCuts.ts';
import { shorterDescriptions, simplerSchemas } from '../../analysis/tokens/shorterTool.ts';
import type { Store } from '../../store/store.ts';
import type { TokenCounter } from '../tokenCounts/tokenCounter.ts';

/** As many of the latest evaluations are searched for one with the changed tools. */
const maxEvaluations = 200;

interface CutRequest {
  tools: readonly Tool[];
  report: Pick<TokenReport, 'tools' | 'total' | 'encoding'>;
  use: Pick<ToolUse, 'neverUsed'>;
}

/**
 * Makes every suggested cut: hides unused tools, drops output schemas, shortens descriptions to
 * their first sentences and simplifies input schemas. Says what is left, and with which changes an
 * evaluation of the built-in selector can be repeated to see what that costs.
 *
 * after = total − Σ tokens of hidden tools − Σ over the rest of (part before − part after)
 */
export async function tryCuts(
  store: Store,
  counter: TokenCounter,
  { tools, report, use }: CutRequest,
): Promise<CutTrial> {
  const cuts = tokenCuts(report.tools, new Set(use.neverUsed));
  const of = (kind: CutKind): Set<string> =>
    new Set(cuts.find((cut) => cut.kind === kind)?.tools.map((tool) => tool.toolId));
  const [hidden, long, big] = [of('hide'), of('descriptions'), of('schemas')];
  const counted = new Map(report.tools.map((tool) => [tool.toolId, tool]));
  const changes: WhatIfChange[] = [];
  /** The first value of a part within the limit, or else the last, which is the smallest. */
  async function firstWithin<Part extends 'description' | 'inputSchema'>(
    { name }: Tool,
    part: Part,
    values: readonly Tool[Part][],
    limit: number,
  ): Promise<{ value: Tool[Part]; tokens: number } | null> {
    const texts = values.map((value) => JSON.stringify({ name, [part]: value }));
    const counts = await counter.countTools(texts, report.encoding);
    const candidates = values.flatMap((value, at) => {
      const count = counts[at];
      return count && 'counted' in count ? [{ value, tokens: count.counted.parts[part] }] : [];
    });
    return candidates.find(({ tokens }) => tokens <= limit) ?? candidates.at(-1) ?? null;
  }
  let after = report.total;
  for (const tool of tools) {
    const id = toolId(tool.server, tool.name);
    const before = counted.get(id);
    if (before === undefined) continue;
    if (hidden.has(id)) {
      after -= before.tokenCount;
      changes.push({ kind: 'remove_tool', toolId: id });
      continue;
    }
    after -= before.parts.outputSchema;
    const shorter = long.has(id)
      ? await firstWithin(
          tool,
          'description',
          shorterDescriptions(tool.description),
          longDescription,
        )
      : null;
    const simpler = big.has(id)
      ? await firstWithin(tool, 'inputSchema', simplerSchemas(tool.inputSchema), bigSchema)
      : null;
    const saved = [
      shorter === null ? 0 : Math.max(0, before.parts.description - shorter.tokens),
      simpler === null ? 0 : Math.max(0, before.parts.inputSchema - simpler.tokens),
    ] as const;
    after -= saved[0] + saved[1];
    const override = {
      ...(shorter !== null && saved[0] > 0 ? { description: shorter.value } : {}),
      ...(simpler !== null && saved[1] > 0 ? { inputSchema: simpler.value } : {}),
    };
    if (Object.keys(override).length > 0)
      changes.push({ kind: 'override', toolId: id, ...override });
  }
  return { before: report.total, after, ...baseOf(store, changes) };
}

/**
 * The newest finished evaluation of the built-in selector that offered at least one changed tool,
 * with the changes of the tools that it offered. Only this selector costs nothing to repeat.
 */
function baseOf(
  store: Store,
  changes: readonly WhatIfChange[],
): Pick<CutTrial, 'base' | 'changes'> {
  for (const row of store.evaluations.list(null, maxEvaluations)) {
    const model = row.settings.models.findIndex(({ provider }) => provider === 'builtin');
    if (row.origin !== null || !hasEnded(row.state) || row.snapshotId === null || model < 0)
      continue;
    const offered = new Set(
      store.toolSnapshots
        .get(row.snapshotId)
        ?.tools.map(({ server, name }) => toolId(server, name)),
    );
    const fitting = changes.filter((change) => 'toolId' in change && offered.has(change.toolId));
    if (fitting.length === 0) continue;
    return {
      base: {
        id: row.id,
        number: row.number,
        suiteName: row.suiteName,
        modelSettingsId: row.modelSettingsIds[model] ?? null,
      },
      changes: fitting,
    };
  }
  return { base: null, changes: [...changes] };
}
