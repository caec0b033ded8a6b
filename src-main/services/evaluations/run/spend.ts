import type {
  RunNumbers,
  TokenSource,
  UsageTotals,
} from '../../../../src-shared/domain/metrics.ts';
import { costOf, type Price } from '../../../../src-shared/domain/price.ts';
import type { RunScope } from '../../../store/runs/scopes.ts';
import type { SpentTokens } from '../../../store/runs/runFolds.ts';
import type { Store } from '../../../store/store.ts';

const tokenSources = ['measured', 'counted', 'estimated'] as const;

type Spend = Pick<
  RunNumbers,
  'costUsd' | 'tokenSource' | 'usage' | 'cachedAnswers' | 'unansweredRequests'
>;

/** Adds answers with one price; the cost becomes null when it is unknown for one of them. */
function addUsage(
  total: UsageTotals,
  {
    answers,
    unknown,
    input,
    output,
  }: Pick<SpentTokens, 'answers' | 'unknown' | 'input' | 'output'>,
  price: Price | null,
): void {
  if (answers === 0 && input + output === 0) return;
  const cost = unknown > 0 ? null : costOf({ input, output }, price);
  const isFirst = total.answers === 0 && total.input === null;
  total.costUsd =
    cost === null || (!isFirst && total.costUsd === null) ? null : (total.costUsd ?? 0) + cost;
  total.answers += answers;
  total.unmeasured += unknown;
  if (unknown === answers && input + output === 0) return;
  total.input = (total.input ?? 0) + input;
  total.output = (total.output ?? 0) + output;
}

const nothing: UsageTotals = {
  answers: 0,
  unmeasured: 0,
  input: null,
  output: null,
  costUsd: null,
};

/**
 * Tokens and cost of a scope in US dollars, each answer at the price its evaluation started with,
 * and how its tokens were determined. Replies that could not be used were paid for as well. The cost is null when a price or a token count is missing, or
 * when nothing was answered: unknown is never 0.
 */
export function spendOf(store: Store, scope: RunScope): Spend {
  const prices = new Map<string, ReadonlyMap<string, Price | null>>();
  const priceOf = (evaluationId: string, modelSettingsId: string): Price | null => {
    let known = prices.get(evaluationId);
    if (!known) prices.set(evaluationId, (known = store.evaluations.prices(evaluationId)));
    return known.get(modelSettingsId) ?? null;
  };
  const [scored, all] = [{ ...nothing }, { ...nothing }];
  const sources = new Set<TokenSource>();
  let [cachedAnswers, unansweredRequests] = [0, 0];
  for (const spent of store.runFolds.spent(scope)) {
    const price = priceOf(spent.evaluationId, spent.modelSettingsId);
    const { lostInput, lostOutput } = spent;
    addUsage(
      all,
      { ...spent, input: spent.input + lostInput, output: spent.output + lostOutput },
      price,
    );
    cachedAnswers += spent.cached;
    unansweredRequests += spent.unanswered;
    addUsage(
      scored,
      {
        answers: spent.scoredAnswers,
        unknown: spent.scoredUnknown,
        input: spent.scoredInput,
        output: spent.scoredOutput,
      },
      price,
    );
    const named = spent.mixed === 1 ? 'mixed' : tokenSources.find((each) => each === spent.source);
    if (named) sources.add(named);
  }
  const [source = null] = sources;
  return {
    costUsd: all.costUsd,
    usage: { scored, all },
    cachedAnswers,
    unansweredRequests,
    tokenSource: sources.size > 1 ? 'mixed' : source,
  };
}

/**
 * The known spend of evaluations in US dollars, and their most expensive run. Answers with unknown
 * tokens are skipped rather than making the sum null, and answers from a cache were not paid again,
 * so that a limit still holds after a resume.
 */
export function knownSpend(
  store: Store,
  evaluationIds: readonly string[],
): { usd: number; maxRunUsd: number } {
  const known = { usd: 0, maxRunUsd: 0 };
  for (const id of evaluationIds) {
    const prices = store.evaluations.prices(id);
    for (const { modelSettingsId, ...tokens } of store.runFolds.paid(id)) {
      const usd = costOf(tokens, prices.get(modelSettingsId) ?? null) ?? 0;
      known.usd += usd;
      known.maxRunUsd = Math.max(known.maxRunUsd, usd);
    }
  }
  return known;
}
