import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { Deferral } from '../../../src-shared/domain/modelService.ts';
import type { Store } from '../../store/store.ts';

type Selections = ReturnType<Store['runQueries']['selections']>;

/**
 * Compares every two configurations of an evaluation that differ only in deferred tools, run by run
 * (docs/rules.md §3, Deferred tools).
 */
export function compareDeferrals(
  store: Store,
  evaluationId: string,
  models: readonly ModelSettings[],
): Deferral[] {
  return models
    .filter((model) => model.sent['defer_tools'] === true)
    .flatMap((deferred): Deferral[] => {
      const all = models.find(
        (model) => model.sent['defer_tools'] !== true && differOnlyInDeferral(model, deferred),
      );
      return all
        ? [
            compare(
              store.runQueries.selections(evaluationId, all.id),
              store.runQueries.selections(evaluationId, deferred.id),
              all,
              deferred,
            ),
          ]
        : [];
    });
}

/**
 * Compares runs of the same case and repetition. Tokens are only compared where both runs measured
 * them.
 */
function compare(
  first: Selections,
  second: Selections,
  all: ModelSettings,
  deferred: ModelSettings,
): Deferral {
  const runKey = ({ position, repetition }: Selections[number]) => `${position} ${repetition}`;
  const others = new Map(second.map((run) => [runKey(run), run]));
  const pairs = first.flatMap((run) => {
    const other = others.get(runKey(run));
    return other ? [{ run, other }] : [];
  });
  const measured = pairs.flatMap(({ run, other }) =>
    run.inputTokens === null || other.inputTokens === null
      ? []
      : [{ all: run.inputTokens, deferred: other.inputTokens }],
  );
  const sum = (of: 'all' | 'deferred') =>
    measured.length === 0 ? null : measured.reduce((total, each) => total + each[of], 0);
  const [before, after] = [sum('all'), sum('deferred')];
  const saved = before === null || after === null ? null : before - after;
  return {
    all: all.id,
    deferred: deferred.id,
    label: modelLabel(deferred),
    pairs: pairs.length,
    changed: pairs.filter(({ run, other }) => run.selected !== other.selected).length,
    inputTokensAll: before,
    inputTokensDeferred: after,
    tokensSaved: saved,
    savingsPercentage:
      saved === null || before === null || before === 0 ? null : (100 * saved) / before,
  };
}

/** Whether two models differ in nothing but `deferTools`. */
function differOnlyInDeferral(a: ModelSettings, b: ModelSettings): boolean {
  const { id: _a, createdAt: _b, deferTools: _c, sent: sentA, ...restA } = a;
  const { id: _d, createdAt: _e, deferTools: _f, sent: sentB, ...restB } = b;
  const otherSettings = (sent: ModelSettings['sent']) =>
    Object.entries(sent)
      .filter(([name]) => name !== 'defer_tools')
      .sort();
  return (
    JSON.stringify([restA, otherSettings(sentA)]) === JSON.stringify([restB, otherSettings(sentB)])
  );
}
