import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { isCorrectUnit, isToolLabel, toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import { alternatives } from '../../../src-shared/domain/testCase.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import type { AdvisedFailure } from '../../analysis/advice/advise.ts';
import { idOf } from '../../optimize/catalog.ts';
import type { CaseScore } from '../../optimize/effects.ts';
import type { Store } from '../../store/store.ts';
import type { SideItem } from '../results/side.ts';
import type { StoredSide } from '../results/storedSides.ts';
import type { Half, HalfItem } from './trial.ts';

/** The cases of an evaluation that belong to one half, in order. */
export function casesOfHalf(store: Store, evaluationId: string, half: Half): HalfItem[] {
  const found: HalfItem[] = [];
  for (const { position, key, content } of store.entries.each('case', evaluationId)) {
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
  return found;
}

/**
 * How cases came out on a side, by the rule of its evaluation.
 * @param placeOf the case of the side that a position stands for
 */
export function readCaseScores(
  store: Store,
  { shown, tally, passedWhen }: StoredSide,
  cases: readonly HalfItem[],
  placeOf: (position: number) => SideItem | undefined,
): CaseScore[] {
  const { evaluationId, modelSettingsId } = shown;
  const units = Map.groupBy(
    store.toolConfusions.units(evaluationId, modelSettingsId),
    ({ position }) => position,
  );
  const wrong = Map.groupBy(
    store.resultQueries.wrongArguments(evaluationId, modelSettingsId),
    ({ position }) => position,
  );
  return cases.map((one) => {
    const { position } = one;
    const place = placeOf(position);
    const { right, scored } = place ? tally(place, passedWhen) : { right: 0, scored: 0 };
    if (place === undefined || scored === 0) return { position, share: null, failures: [] };
    const failures =
      right === scored
        ? []
        : failuresOf(one, units.get(place.position) ?? [], wrong.get(place.position) ?? []);
    return { position, share: right / scored, failures };
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
