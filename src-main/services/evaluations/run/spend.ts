import type { RunNumbers, TokenSource } from '../../../../src-shared/domain/metrics.ts';
import { costOf, type Price } from '../../../../src-shared/domain/price.ts';
import { evaluationScope, type RunScope } from '../../../store/runs/scopes.ts';
import type { Store } from '../../../store/store.ts';

const tokenSources = ['measured', 'counted', 'estimated'] as const;

/**
 * The cost of a scope in US dollars, each answer at the price its evaluation started with, and how
 * its tokens were determined. The cost is null when a price or a token count is missing, or when
 * nothing was answered: unknown is never 0.
 */
export function spendOf(
  store: Store,
  scope: RunScope,
): Pick<RunNumbers, 'costUsd' | 'tokenSource'> {
  const prices = new Map<string, ReadonlyMap<string, Price | null>>();
  const priceOf = (evaluationId: string, modelSettingsId: string): Price | null => {
    let known = prices.get(evaluationId);
    if (!known) prices.set(evaluationId, (known = store.evaluations.prices(evaluationId)));
    return known.get(modelSettingsId) ?? null;
  };
  let costUsd: number | null = null;
  let priced = true;
  const sources = new Set<TokenSource>();
  for (const {
    evaluationId,
    modelSettingsId,
    unknown,
    input,
    output,
    source,
    mixed,
  } of store.runFolds.spent(scope)) {
    const cost =
      unknown > 0 ? null : costOf({ input, output }, priceOf(evaluationId, modelSettingsId));
    if (cost === null) priced = false;
    else costUsd = (costUsd ?? 0) + cost;
    const named = mixed === 1 ? 'mixed' : tokenSources.find((each) => each === source);
    if (named) sources.add(named);
  }
  const [source = null] = sources;
  return { costUsd: priced ? costUsd : null, tokenSource: sources.size > 1 ? 'mixed' : source };
}

/**
 * The known spend of an evaluation in US dollars. Answers with unknown tokens are skipped rather
 * than making the sum null, so that a limit still holds after a resume.
 */
export function knownSpendUsd(store: Store, evaluationId: string): number {
  const prices = store.evaluations.prices(evaluationId);
  return store.runFolds
    .spent(evaluationScope(evaluationId, null, 'all'))
    .reduce(
      (sum, { modelSettingsId, input, output }) =>
        sum + (costOf({ input, output }, prices.get(modelSettingsId) ?? null) ?? 0),
      0,
    );
}
