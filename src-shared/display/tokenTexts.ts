import { counted, formatCount, formatShare, formatUsd } from './numbers.ts';
import type { TokenReport } from '../domain/tokenReport.ts';
import { costPerThousand } from '../metrics/tokenCuts.ts';

/** Context windows that are common today, in tokens. */
export const contextWindows = [
  { name: '8k', tokens: 8_192 },
  { name: '32k', tokens: 32_768 },
  { name: '128k', tokens: 128_000 },
  { name: '200k', tokens: 200_000 },
  { name: '1M', tokens: 1_000_000 },
] as const;

/** Where tokens of a definition begin, with the column of each in CSV. */
export const tokenParts: readonly {
  part: keyof TokenReport['tools'][number]['parts'];
  name: string;
  title: string;
  meaning: string;
}[] = [
  { part: 'name', name: 'name', title: 'Name', meaning: 'Tokens that begin in the name.' },
  {
    ...{ part: 'description', name: 'description', title: 'Description' },
    meaning: 'Tokens that begin in the description.',
  },
  {
    ...{ part: 'inputSchema', name: 'input_schema', title: 'Input schema' },
    meaning: 'Tokens that begin in the input schema.',
  },
  {
    ...{ part: 'outputSchema', name: 'output_schema', title: 'Output schema' },
    meaning: 'Tokens that begin in the output schema. Requests to models don’t carry it.',
  },
  {
    ...{ part: 'structure', name: 'structure', title: 'Structure' },
    meaning: 'Everything else: braces, quotes, keys, title, annotations.',
  },
];

const headlineWindow = contextWindows[2];

/** The finding of a token count, the same in the window, on the command line and in reports. */
export function tokenHeadline({ tools, total }: Pick<TokenReport, 'tools' | 'total'>): string {
  const share = formatShare(total / headlineWindow.tokens);
  return (
    `${counted(tools.length, 'tool')} ${tools.length === 1 ? 'costs' : 'cost'} ` +
    `${counted(total, 'token')}, ${share} of a ${headlineWindow.name} window, before the first ` +
    'message.'
  );
}

/** What skills cost besides, when a model uses them; null without a skill. */
export function bodySentence({ tools }: Pick<TokenReport, 'tools'>): string | null {
  const bodies = tools.flatMap(({ bodyTokens }) => bodyTokens ?? []);
  if (bodies.length === 0) return null;
  const total = bodies.reduce((sum, tokens) => sum + tokens, 0);
  return (
    `${counted(bodies.length, 'skill')} ${bodies.length === 1 ? 'has' : 'have'} ` +
    `${counted(total, 'token')} of instructions, which a model loads only when it uses them. ` +
    'No sum includes them.'
  );
}

/** What was counted: `as listed, in cl100k_base`, or `in the format of gpt-5`. */
export function countedAs({ encoding, model }: Pick<TokenReport, 'encoding' | 'model'>): string {
  return model === null
    ? `as listed by the servers, in ${encoding}`
    : `in the ${model.format} format of ${model.model}, estimated with ${encoding}`;
}

/** What the definitions cost with the chosen model; null if none is chosen. */
export function costSentence({
  model,
  total,
}: Pick<TokenReport, 'model' | 'total'>): string | null {
  if (model === null) return null;
  const cost = costPerThousand(total, model.price);
  return cost === null
    ? `No price known for ${model.model}. Set it to see the cost.`
    : `${formatUsd(cost)} per 1,000 requests with ${model.model}, at the full input price.`;
}

/** Whether the tools keep to a budget of tokens. */
export function budgetSentence(total: number, limit: number): string {
  return total > limit
    ? overBudget(total, limit)
    : `${counted(limit - total, 'token')} left of a budget of ${formatCount(limit)}.`;
}

export const overBudget = (total: number, limit: number): string =>
  `The tools have ${counted(total, 'token')}, ${formatCount(total - limit)} more than the budget of ` +
  `${formatCount(limit)}.`;
