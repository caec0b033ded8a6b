import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { isCorrectUnit, isToolLabel, toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import { alternatives } from '../../../src-shared/domain/testCase.ts';
import { halfOf } from '../../../src-shared/metrics/rewriteProof.ts';
import type { AdvisedFailure } from '../../analysis/advice/advise.ts';
import { idOf } from '../../optimize/catalog.ts';
import type { CaseScore } from '../../optimize/effects.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { Half, HalfItem } from './trial.ts';

const pageSize = 500;

/** The cases of an evaluation that belong to one half, in order. */
export function casesOfHalf(store: Store, evaluationId: string, half: Half): HalfItem[] {
  const found: HalfItem[] = [];
  for (let cursor = -1; ;) {
    const page = store.frozenCases.page(evaluationId, cursor, pageSize);
    for (const { position, key, content } of page) {
      cursor = position;
      if (halfOf(key) !== half) continue;
      const calls = content.expectedCalls;
      found.push({
        position,
        query: content.query,
        expected: calls.flatMap((call) =>
          alternatives(call).map(({ server, tool }) => idOf({ server, name: tool })),
        ),
        values: calls.map(({ parameters }) => JSON.stringify(parameters ?? {})).join(' '),
      });
    }
    if (page.length < pageSize) return found;
  }
}

/**
 * How cases came out in an evaluation.
 * @param places the position in `evaluation` of each case; the n-th case without it
 */
export function readCaseScores(
  store: Store,
  evaluation: EvaluationRow,
  modelSettingsId: string,
  cases: readonly HalfItem[],
  places: 'own' | 'in order',
): CaseScore[] {
  const rule = evaluation.settings.passedWhen;
  const tallies = new Map(
    store.resultQueries
      .tallies(evaluation.id, modelSettingsId, rule)
      .map((tally) => [tally.position, tally]),
  );
  const units = Map.groupBy(
    store.toolConfusions.units(evaluation.id, modelSettingsId),
    ({ position }) => position,
  );
  const wrong = Map.groupBy(
    store.resultQueries.wrongArguments(evaluation.id, modelSettingsId),
    ({ position }) => position,
  );
  return cases.map((one, order) => {
    const place = places === 'own' ? one.position : order;
    const tally = tallies.get(place);
    const share = tally && tally.scored > 0 ? tally.right / tally.scored : null;
    const failures =
      share === null || share === 1
        ? []
        : failuresOf(one, units.get(place) ?? [], wrong.get(place) ?? []);
    return { position: one.position, share, failures };
  });
}

/** Wrong choices; where every choice was correct, wrong arguments. */
function failuresOf(
  { query, values }: HalfItem,
  units: readonly { expected: string; selected: string }[],
  wrong: readonly { toolId: string; name: string; expected: string | null }[],
): AdvisedFailure[] {
  const choices = units
    .filter((unit) => !isCorrectUnit(unit))
    .map(({ expected, selected }): AdvisedFailure => ({
      query,
      values,
      expected: toolsOfLabel(expected)[0] ?? null,
      called: isToolLabel(selected) ? selected : null,
      wrongArguments: [],
    }));
  if (choices.length > 0) return choices;
  return [...Map.groupBy(wrong, ({ toolId }) => toolId)].map(([toolId, rows]) => ({
    query,
    values,
    expected: toolId,
    called: toolId,
    wrongArguments: rows.map(({ name, expected }) => {
      const value: unknown = expected === null ? null : JSON.parse(expected);
      const isPlain = typeof value === 'string' || typeof value === 'number';
      return { name, ...(isPlain && !isJsonObject(value) ? { expected: value } : {}) };
    }),
  }));
}
