import type { RunNumbers, TokenSource } from '../../../../src-shared/domain/metrics.ts';
import { costOf, type Price } from '../../../../src-shared/domain/price.ts';
import { evaluationScope, type RunScope } from '../../../store/runs/scopes.ts';
import type { Store } from '../../../store/store.ts';

const tokenSources = ['measured', 'counted', 'estimated'] as const;

/**
 * What the answers of a scope cost, each at the price that its evaluation was started with, and how
 * their tokens were found out. Cost is null where a price or a count is missing, or nothing was
 * answered: unknown is never 0.
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
 * What is known to be spent by an evaluation so far, in US dollars: where one answer's tokens are
 * unknown, the others' still count, so that a limit that held before a resume goes on to hold after
 * it.
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
