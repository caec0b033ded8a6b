import { describe, expect, it } from 'vitest';
import type { EvaluationEvent } from '../../../../src-shared/domain/evaluation.ts';
import { call, createEngine, type FakeCase, type Script } from '../../../testing/engine.ts';

const outcomes = (events: readonly EvaluationEvent[]) =>
  events
    .flatMap((event) => (event.type === 'runs' ? event.outcomes : []))
    .sort((a, b) => a.position - b.position);

const tools = [{ name: 'add' }, { name: 'list' }];
const expectAdd = [{ server: 's', tool: 'add' }];
const cases = (...queries: string[]): FakeCase[] =>
  queries.flatMap((query) => [
    { query, expected: [] },
    { query, expected: expectAdd },
  ]);
const asText = (name: string) => `<tool_call>{"name":"${name}","arguments":{}}</tool_call>`;
const parser = 'Start it with its tool-call parser.';

const says =
  (texts: Record<string, string>): Script =>
  async ({ query }) => ({ calls: [], text: texts[query] ?? '' });

describe('a call as text', () => {
  it('is not scored, whether a call is expected or not', async () => {
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases('text', 'answer'),
      script: says({ text: asText('s__add'), answer: 'I would use `add`.' }),
    });
    const id = await engine.start();
    const found = outcomes(await engine.drain(id));
    expect(
      found.map(({ failure, classification, errorMessage }) => [
        failure,
        classification,
        errorMessage,
      ]),
    ).toEqual([
      ['model', null, `The endpoint returned a call of s:add as text (<tool_call>). ${parser}`],
      ['model', null, `The endpoint returned a call of s:add as text (<tool_call>). ${parser}`],
      [null, 'TN', null],
      [null, 'FN', null],
    ]);
  });

  it('is one reason for all tools and notations, in the result and in its end', async () => {
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases('first', 'second', 'third'),
      script: says({
        first: asText('add'),
        second: '[TOOL_CALLS]list{}',
        third: '{"name":"s:add","arguments":{}}',
      }),
    });
    const id = await engine.start();
    await engine.drain(id);
    const reason = `The endpoint returned calls of s:add, s:list as text (<tool_call>, [TOOL_CALLS], JSON). ${parser}`;
    const groups = engine.database.store.resultQueries.unscored(id);
    expect(groups).toMatchObject([{ failure: 'model', message: reason, runs: 6 }]);
    expect(await engine.service.get({ id })).toMatchObject({
      state: 'incomplete',
      reason: `6 of the runs could not be scored. 6 runs: ${reason}`,
    });
  });
});

describe('a reply that was cut off', () => {
  it('is not scored, whatever calls it made and whatever was expected', async () => {
    const whole = call('s', 'add');
    const half = { ...whole, arguments: null, argumentsText: '{"title":"Mi' };
    const calls = { whole: [whole], half: [half], both: [whole, half], none: [] };
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases('whole', 'half', 'both', 'none'),
      script: async ({ query }) => ({
        calls: calls[query as keyof typeof calls],
        stopReason: 'cut_off',
      }),
    });
    const id = await engine.start();
    const found = outcomes(await engine.drain(id));
    expect(found.map(({ failure }) => failure)).toEqual(Array(8).fill('model'));
    expect(engine.database.store.resultQueries.unscored(id)).toMatchObject([
      {
        runs: 8,
        message: expect.stringMatching(/^The reply was cut off at a limit of the endpoint/),
      },
    ]);
  });
});

describe('a stored reply that can’t be judged', () => {
  it('loses its score when it is scored again, and is asked for again by a resume', async () => {
    let asked = 0;
    await using engine = await createEngine({
      servers: { s: tools },
      cases: [
        { query: 'text', expected: [] },
        { query: 'answer', expected: [] },
      ],
      script: async () => {
        asked += 1;
        return { calls: [], text: 'An answer.' };
      },
    });
    const id = await engine.start();
    await engine.drain(id);
    // As an older version stored it.
    engine.database.db
      .prepare(
        "UPDATE runs SET observation = json_set(observation, '$.text', ?) WHERE position = 0",
      )
      .run(asText('s__add'));
    const summary = await engine.service.rescore({ id });
    expect(summary.counts).toMatchObject({ tn: 1, failed: 1 });
    expect(await engine.service.get({ id })).toMatchObject({
      state: 'incomplete',
      reason: expect.stringContaining('a call of s:add as text'),
    });
    const [run] = engine.database.store.runs.failed(id);
    expect(engine.database.store.results.history(run?.id ?? '')).toMatchObject([
      { score: { classification: 'TN' } },
    ]);
    await engine.service.resume({ id });
    await engine.drain(id);
    expect(asked).toBe(3);
    expect(await engine.service.get({ id })).toMatchObject({
      state: 'completed',
      counts: { tn: 2, failed: 0 },
    });
  });
});
