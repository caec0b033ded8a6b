import { describe, expect, it } from 'vitest';
import { rateText, resultText } from '../../../src-shared/display/evaluationTexts.ts';
import { modelConfiguration } from '../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { PreviousChange } from '../../../src-shared/domain/verdict.ts';
import { call, type Engine } from '../../testing/engine.ts';
import { cases, openWith, resultsOf, run } from './results.fixture.ts';

/** Which of 24 cases a model gets wrong, and which of them it doesn't answer. */
interface Behavior {
  wrong: readonly number[];
  silent?: readonly number[];
}
type Behaviors = Record<string, Behavior>;

const upTo = (end: number, start = 0): number[] =>
  Array.from({ length: end - start }, (_, at) => start + at);
const named = (model: string, change = {}) =>
  modelConfiguration.parse({ provider: 'openai', model, ...change });
const models = ['a', 'b', 'c'].map((model) => named(model));

const first: Behaviors = {
  a: { wrong: [0, 1] },
  b: { wrong: upTo(10) },
  c: { wrong: [0, 2, 3], silent: upTo(24, 20) },
};
const second: Behaviors = {
  a: { wrong: upTo(6) },
  b: { wrong: [0] },
  c: { wrong: [0, 1], silent: upTo(24, 19) },
};

function open() {
  const { state, engine } = openWith(cases(24));
  const runWith = async (opened: Engine, behaviors: Behaviors, asked = models) => {
    state.script = async ({ query }, _signal, { model }) => {
      const { wrong, silent = [] } = behaviors[model] ?? { wrong: [] };
      if (silent.includes(Number(query))) throw new Error('The provider is down.');
      return { calls: [call('s', wrong.includes(Number(query)) ? 'remove' : 'add')] };
    };
    const id = await run(opened, { models: asked });
    const { models: settings } = await opened.service.get({ id });
    const ids = Object.fromEntries(settings.map((each) => [each.model, each.id]));
    const labels = Object.fromEntries(settings.map((each) => [each.model, modelLabel(each)]));
    return { id, ids, labels };
  };
  return { engine, runWith };
}

type Started = Awaited<ReturnType<ReturnType<typeof open>['runWith']>>;

const sideOf = ({ id, ids }: Started, model: string) => ({
  id,
  modelSettingsId: ids[model] ?? '',
});

describe('three models of one evaluation', () => {
  it('are listed with their own counts, which one model has not', async () => {
    const { engine: opening, runWith } = open();
    await using engine = await opening;
    await runWith(engine, first);
    await runWith(engine, first, models.slice(0, 1));
    const [alone, three] = await engine.service.list({ limit: 10 });
    expect(alone?.byModel).toBeUndefined();
    const ofModels = three?.models.map(({ model }, at) => [model, three.byModel?.[at]]);
    expect(ofModels).toMatchObject([
      ['a', { passed: 22, not_scored: 0 }],
      ['b', { passed: 14, not_scored: 0 }],
      ['c', { passed: 17, not_scored: 4 }],
    ]);
    expect(three?.outcomes).toMatchObject({ passed: 53, not_scored: 4 });
    expect(three && [resultText(three), rateText(three)]).toEqual([
      '14–22 of 20–24 cases, 3 models',
      '58–92%',
    ]);
  });

  it('are compared with the best one by the paired test, adjusted over all of them', async () => {
    const { engine: opening, runWith } = open();
    await using engine = await opening;
    const started = await runWith(engine, first);
    const results = resultsOf(engine);
    const verdict = await results.verdict({ id: started.id, modelSettingsId: null });
    const vsBest = Object.fromEntries(
      verdict.models.map((each) => [each.modelSettingsId, each.vsBest]),
    );
    const of = (model: string) => vsBest[started.ids[model] ?? ''];
    expect(verdict.models.map(({ passRate }) => [passRate.value, passRate.n])).toEqual([
      [22 / 24, 24],
      [17 / 20, 20],
      [14 / 24, 24],
    ]);
    expect(of('a')).toBeNull();
    // b loses 8 cases and wins none: p = 2 · 2^−8. c loses 2 of 20 and wins 1: p = 1.
    expect(of('b')).toMatchObject({
      sharedCases: 24,
      difference: { value: expect.closeTo(-8 / 24, 12) },
      pValue: expect.closeTo(2 / 2 ** 8, 12),
      adjustedP: expect.closeTo(4 / 2 ** 8, 12),
      answer: 'worse',
    });
    expect(of('c')).toMatchObject({
      sharedCases: 20,
      difference: { value: expect.closeTo(-1 / 20, 12) },
      pValue: expect.closeTo(1, 12),
      adjustedP: expect.closeTo(1, 12),
      answer: 'cannot tell',
    });
    const { candidates } = await results.compare({
      baseline: sideOf(started, 'a'),
      candidates: [sideOf(started, 'b'), sideOf(started, 'c')],
      passedWhen: null,
    });
    expect(
      candidates.map(({ sharedCases, difference, pValue, adjustedP, answer }) => ({
        ...{ sharedCases, difference, pValue, adjustedP, answer },
      })),
    ).toEqual([of('b'), of('c')]);
  });

  it('are held against their own previous results, never pooled', async () => {
    const { engine: opening, runWith } = open();
    await using engine = await opening;
    const before = await runWith(engine, first);
    const after = await runWith(engine, second);
    const results = resultsOf(engine);
    const expected: Record<string, Omit<PreviousChange, 'evaluationId' | 'number' | 'model'>> = {
      a: { sharedCases: 24, fixed: 0, broken: 4, passedDifference: -4, withinNoise: true },
      b: { sharedCases: 24, fixed: 9, broken: 0, passedDifference: 9, withinNoise: false },
      c: { sharedCases: 19, fixed: 2, broken: 1, passedDifference: 1, withinNoise: true },
    };
    const pooled = await results.verdict({ id: after.id, modelSettingsId: null });
    expect(pooled.previous).toBeNull();
    const points = await results.trend({ suite: 'suite', unit: 'case', model: null, limit: 50 });
    for (const model of ['a', 'b', 'c']) {
      const { previous } = await results.verdict(sideOf(after, model));
      expect(previous, model).toEqual({
        ...expected[model],
        evaluationId: before.id,
        number: 1,
        model: after.labels[model],
      });
      const {
        candidates: [compared],
      } = await results.compare({
        baseline: sideOf(before, model),
        candidates: [sideOf(after, model)],
        passedWhen: null,
      });
      expect(compared, model).toMatchObject({
        sharedCases: previous?.sharedCases,
        fixed: { length: previous?.fixed },
        regressed: { length: previous?.broken },
        answer: previous?.withinNoise === true ? 'cannot tell' : 'better',
      });
      const own = points.filter((point) => point.model === after.labels[model]);
      expect(own.map(({ number, change }) => [number, change])).toEqual([
        [1, null],
        [2, previous],
      ]);
      const alone = await results.trend({ suite: 'suite', unit: 'case', model, limit: 50 });
      expect(alone.at(-1)?.change, model).toEqual(previous);
    }
  });

  it('name the model where only one of the two evaluations has several', async () => {
    const { engine: opening, runWith } = open();
    await using engine = await opening;
    const before = await runWith(engine, first);
    const after = await runWith(engine, second, [named('b')]);
    const again = await runWith(engine, second, [named('b')]);
    const results = resultsOf(engine);
    const { previous } = await results.verdict({ id: after.id, modelSettingsId: null });
    expect(previous).toMatchObject({ evaluationId: before.id, model: after.labels['b'], fixed: 9 });
    const last = await results.verdict({ id: again.id, modelSettingsId: null });
    expect(last.previous).toMatchObject({ evaluationId: after.id, model: null, fixed: 0 });
  });

  it('are told apart by their settings where they share a name', async () => {
    const { state, engine: opening } = openWith(cases(24));
    await using engine = await opening;
    const asked = [0, 1].map((temperature) => named('a', { temperature }));
    const right = [10, 20];
    state.script = async ({ query }, _signal, { temperature }) => ({
      calls: [call('s', Number(query) < (right[temperature ?? 0] ?? 0) ? 'add' : 'remove')],
    });
    const before = await run(engine, { models: asked });
    [right[0], right[1]] = [12, 22];
    const after = await run(engine, { models: asked.toReversed() });
    const results = resultsOf(engine);
    const { models: settings } = await engine.service.get({ id: after });
    for (const { id: modelSettingsId } of settings) {
      const { previous } = await results.verdict({ id: after, modelSettingsId });
      const { candidates } = await results.compare({
        baseline: { id: before, modelSettingsId },
        candidates: [{ id: after, modelSettingsId }],
        passedWhen: null,
      });
      expect(candidates).toMatchObject([{ conditions: [], sharedCases: 24, fixed: { length: 2 } }]);
      expect(previous).toMatchObject({ evaluationId: before, sharedCases: 24, fixed: 2 });
    }
    const points = await results.trend({ suite: 'suite', unit: 'case', model: 'a', limit: 50 });
    expect(points.map(({ change }) => change?.fixed ?? null)).toEqual([null, null, 2, 2]);
  });
});
