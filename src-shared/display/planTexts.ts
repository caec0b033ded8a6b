import type { PlannedModel } from '../domain/evaluationPlan.ts';
import { formatUsd } from './numbers.ts';

/** What a plan costs: `about $0.12`, or `price unknown`: what has no price doesn't cost 0. */
export const aboutCost = (usd: number | null): string =>
  usd === null ? 'price unknown' : `about ${formatUsd(usd)}`;

/** Which program plays the runs of an agent. */
export const programText = (
  label: string,
  { file, version }: NonNullable<PlannedModel['program']>,
): string =>
  file === null
    ? `${label}: its program isn't installed.`
    : `${label}: ${version === null ? 'version not known' : `version ${version}`}, ${file}`;

/** What the cost of a plan assumes. */
export const costAssumptions = {
  case: 'These tokens at the listed price, assuming 120 tokens per answer',
  task:
    'These tokens at the listed price, assuming one call per turn, or those that the checks ' +
    'require, and 120 tokens per answer and per result',
};

/** How the tokens of a plan are known. */
export const tokenSourceTexts = {
  estimated:
    'Estimated: cl100k_base tokens of the tools, queries, and prompts of all runs. The provider may count differently.',
  counted:
    'The provider counted the first request for each list of servers. The queries of ' +
    'other requests are estimated.',
};
