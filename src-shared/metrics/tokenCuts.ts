import type { TokenReport } from '../domain/tokenReport.ts';
import { costOf, type Price } from '../domain/price.ts';

type CountedTool = Pick<TokenReport['tools'][number], 'toolId' | 'tokenCount' | 'parts'>;

export type CutKind = 'hide' | 'outputSchemas' | 'descriptions' | 'schemas';

/** One way to send fewer tokens, with the tools that it changes, the largest saving first. */
export interface TokenCut {
  kind: CutKind;
  tools: { toolId: string; saved: number }[];
  saved: number;
}

/** Longer parts are worth cutting: about 75 English words, and about ten described properties. */
export const longDescription = 100;
export const bigSchema = 300;

/**
 * What to cut first, in tokens per request. Tools that nothing uses are hidden whole. Of those that
 * stay: output schemas go, descriptions over `longDescription` and input schemas over `bigSchema`
 * are cut down to these limits. No cut counts a token of another one, so the savings add up.
 *
 * saved(hide) = Σ tokens of unused tools; saved(part) = Σ max(0, part − limit) over the rest.
 * @param neverUsed tool IDs that no case needs and no run called
 * @returns the cuts that save something: hiding first, then the largest saving first
 */
export function tokenCuts(
  tools: readonly CountedTool[],
  neverUsed: ReadonlySet<string>,
): TokenCut[] {
  const kept = tools.filter(({ toolId }) => !neverUsed.has(toolId));
  const over = (part: (tool: CountedTool) => number, limit: number) => (tool: CountedTool) =>
    Math.max(0, part(tool) - limit);
  const hide = cut(
    'hide',
    tools.filter(({ toolId }) => neverUsed.has(toolId)),
    ({ tokenCount }) => tokenCount,
  );
  const parts = [
    cut('outputSchemas', kept, ({ parts: { outputSchema } }) => outputSchema),
    cut(
      'descriptions',
      kept,
      over(({ parts: { description } }) => description, longDescription),
    ),
    cut(
      'schemas',
      kept,
      over(({ parts: { inputSchema } }) => inputSchema, bigSchema),
    ),
  ].sort((a, b) => b.saved - a.saved);
  return [hide, ...parts].filter(({ saved }) => saved > 0);
}

function cut(
  kind: CutKind,
  tools: readonly CountedTool[],
  saving: (tool: CountedTool) => number,
): TokenCut {
  const changed = tools
    .map((tool) => ({ toolId: tool.toolId, saved: saving(tool) }))
    .filter(({ saved }) => saved > 0)
    .sort((a, b) => b.saved - a.saved);
  return { kind, tools: changed, saved: changed.reduce((sum, { saved }) => sum + saved, 0) };
}

/**
 * US dollars that `tokens` of tool definitions add to 1,000 requests, at the full price of input:
 * 1,000 · tokens · price ÷ 1,000,000. Null without a price.
 */
export const costPerThousand = (tokens: number, price: Price | null): number | null =>
  costOf({ input: 1000 * tokens, output: 0 }, price);
