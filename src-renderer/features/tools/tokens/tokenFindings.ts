import { formatShare, formatUsd, counted } from '../../../../src-shared/display/numbers.ts';
import { contextWindows } from '../../../../src-shared/display/tokenTexts.ts';
import type { PricedModel } from '../../../../src-shared/domain/price.ts';
import { wireApiOf } from '../../../../src-shared/domain/provider.ts';
import type { Frontier, TokenReport } from '../../../../src-shared/domain/tokenReport.ts';
import {
  bigSchema,
  costPerThousand,
  longDescription,
  type TokenCut,
} from '../../../../src-shared/metrics/tokenCuts.ts';

type Tool = TokenReport['tools'][number];

/** The tools by server, servers and tools with the most tokens first. */
export function byServer(report: TokenReport): { server: string; tokens: number; tools: Tool[] }[] {
  return [...Map.groupBy(report.tools, ({ server }) => server)]
    .map(([server, tools]) => ({
      server,
      tokens: tools.reduce((sum, { tokenCount }) => sum + tokenCount, 0),
      tools: tools.toSorted((a, b) => b.tokenCount - a.tokenCount),
    }))
    .sort((a, b) => b.tokens - a.tokens);
}

export function mapFinding(report: TokenReport): string {
  const { tools, total } = report;
  const top = tools.toSorted((a, b) => b.tokenCount - a.tokenCount).slice(0, 3);
  if (tools.length <= 3 || total === 0)
    return `${top[0]?.name ?? 'The tool'} is the most expensive tool`;
  const share = top.reduce((sum, { tokenCount }) => sum + tokenCount, 0) / total;
  const [first] = top;
  const sameServer = top.every(({ server }) => server === first?.server);
  const servers = new Set(tools.map(({ server }) => server)).size;
  const whose = sameServer && servers > 1 ? ` of ${first?.server ?? ''}` : '';
  return `Three tools${whose} use ${formatShare(share)} of all tokens, ${first?.name ?? ''} the most`;
}

/** Which windows are too small, or the share of the smallest one that fits. */
export function windowFinding(total: number): string {
  const tooSmall = contextWindows.findLast(({ tokens }) => tokens < total);
  const fits = contextWindows.find(({ tokens }) => tokens >= total);
  if (tooSmall === undefined || fits === undefined)
    return fits === undefined
      ? 'Too large for every common context window'
      : `Fits every common context window; ${formatShare(total / fits.tokens)} of ${fits.name}`;
  return `Too large for ${tooSmall.name}; ${formatShare(total / fits.tokens)} of a ${fits.name} window`;
}

export interface ModelCost {
  provider: string;
  model: string;
  usd: number;
  tokens: number;
}

/** What 1,000 requests cost with each priced model, in its own wire format; dearest first. */
export function modelCosts(
  { formats }: Pick<TokenReport, 'formats'>,
  prices: readonly PricedModel[],
): ModelCost[] {
  const tokensOf = new Map(formats.map(({ wireApi, tokenCount }) => [wireApi, tokenCount]));
  return prices
    .flatMap((priced): ModelCost[] => {
      const { provider, model } = priced;
      const tokens = tokensOf.get(wireApiOf({ provider, api: null }));
      const usd = tokens === undefined ? null : costPerThousand(tokens, priced);
      return tokens === undefined || usd === null ? [] : [{ provider, model, usd, tokens }];
    })
    .sort((a, b) => b.usd - a.usd);
}

export function costFinding(costs: readonly ModelCost[]): string {
  const [dearest, cheapest] = [costs[0], costs.at(-1)];
  if (!dearest || !cheapest) return 'No price known';
  if (costs.length === 1)
    return `1,000 requests cost ${formatUsd(dearest.usd)} in tool definitions`;
  return (
    `1,000 requests cost ${formatUsd(cheapest.usd)} to ${formatUsd(dearest.usd)} in tool ` +
    'definitions'
  );
}

/** A cut as a heading and a sentence that says what it means. */
export function cutTexts(
  { kind, tools }: TokenCut,
  evaluations: number,
): { title: string; why: string } {
  const n = tools.length;
  switch (kind) {
    case 'hide':
      return {
        title: `Hide ${counted(n, 'unused tool')}`,
        why:
          `No case expects ${n === 1 ? 'it' : 'them'}, and no model called ` +
          `${n === 1 ? 'it' : 'them'} in ${counted(evaluations, 'evaluation')}. Check first that ` +
          `your users don’t need ${n === 1 ? 'it' : 'them'}.`,
      };
    case 'outputSchemas':
      return {
        title: `Drop ${counted(n, 'output schema')}`,
        why: 'Models don’t need an output schema to call a tool.',
      };
    case 'descriptions':
      return {
        title: `Shorten ${counted(n, 'long description')}`,
        why: `Saved if each has at most ${longDescription} tokens, about 75 words.`,
      };
    case 'schemas':
      return {
        title: `Simplify ${counted(n, 'large input schema')}`,
        why: `Saved if each has at most ${bigSchema} tokens.`,
      };
  }
}

/** The fewest tools that cost no provable accuracy, or what is being measured. */
export function frontierFinding({ points, suiteName }: Frontier): string {
  const all = points.find(({ k }) => k === null);
  const enough = points
    .filter(
      ({ k, difference }) => k !== null && difference !== null && difference.answer !== 'worse',
    )
    .sort((a, b) => (a.tokens ?? Infinity) - (b.tokens ?? Infinity))[0];
  if (all?.tokens == null || enough?.tokens == null) return `Accuracy vs. tokens of ${suiteName}`;
  if (enough.tokens >= all.tokens) return `Every measured cut of ${suiteName} costs accuracy`;
  const shown =
    enough.k === 1 ? '1 tool per request saves' : `${enough.k ?? ''} tools per request save`;
  const saved = formatShare(1 - enough.tokens / all.tokens);
  return `${shown} ${saved} of tokens with no provable loss of accuracy`;
}
