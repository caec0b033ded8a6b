import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { isCorrectUnit, isToolLabel, toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import { alternatives } from '../../../src-shared/domain/testCase.ts';
import { halfOf } from '../../../src-shared/metrics/rewriteProof.ts';
import type { AdvisedFailure } from '../../analysis/advice/advise.ts';
import { idOf } from '../../optimize/catalog.ts';
import type { CaseScore } from '../../optimize/effects.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { ProofItem } from './countProof.ts';
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

/** Whether cases are found in the evaluation that they belong to, or in a repetition of it. */
export type CasePlaces = 'own' | 'repeated';

/** The position of a case in an evaluation: the n-th repeated case is the n-th of `positions`. */
function placeOf({ settings }: EvaluationRow, places: CasePlaces): (own: number) => number {
  if (places === 'own') return (own) => own;
  const positions = new Map(settings.whatIf?.positions?.map((own, place) => [own, place]));
  return (own) => positions.get(own) ?? -1;
}

/** How cases came out in an evaluation, by its rule. */
export function readCaseScores(
  store: Store,
  evaluation: EvaluationRow,
  modelSettingsId: string,
  cases: readonly HalfItem[],
  places: CasePlaces,
): CaseScore[] {
  const tallies = talliesOf(store, evaluation, modelSettingsId);
  const find = placeOf(evaluation, places);
  const units = Map.groupBy(
    store.toolConfusions.units(evaluation.id, modelSettingsId),
    ({ position }) => position,
  );
  const wrong = Map.groupBy(
    store.resultQueries.wrongArguments(evaluation.id, modelSettingsId),
    ({ position }) => position,
  );
  return cases.map((one) => {
    const place = find(one.position);
    const tally = tallies.get(place);
    const share = tally && tally.scored > 0 ? tally.right / tally.scored : null;
    const failures =
      share === null || share === 1
        ? []
        : failuresOf(one, units.get(place) ?? [], wrong.get(place) ?? []);
    return { position: one.position, share, failures };
  });
}

/** How cases came out in an evaluation, with every call that their scored runs should have made. */
export function readCaseSide(
  store: Store,
  evaluation: EvaluationRow,
  modelSettingsId: string,
  cases: readonly HalfItem[],
  places: CasePlaces,
): ProofItem[] {
  const tallies = talliesOf(store, evaluation, modelSettingsId);
  const find = placeOf(evaluation, places);
  const units = Map.groupBy(
    store.toolConfusions
      .units(evaluation.id, modelSettingsId)
      .filter(({ expected }) => isToolLabel(expected)),
    ({ position }) => position,
  );
  return cases.map(({ position }) => {
    const place = find(position);
    const { right, scored } = tallies.get(place) ?? { right: 0, scored: 0 };
    const byLabel = Map.groupBy(units.get(place) ?? [], ({ expected }) => expected);
    const calls = [...byLabel].map(([label, own]) => ({
      tools: toolsOfLabel(label),
      expected: own.length,
      made: own.filter(isCorrectUnit).length,
    }));
    return { position, right, scored, calls };
  });
}

const talliesOf = (
  store: Store,
  { id, settings }: EvaluationRow,
  modelSettingsId: string,
): Map<number, { right: number; scored: number }> =>
  new Map(
    store.resultQueries
      .tallies(id, modelSettingsId, settings.passedWhen)
      .map(({ position, ...tally }) => [position, tally]),
  );

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
