import { describe, expect, it } from 'vitest';
import { callWhatIsNamed } from '../../testing/fakeModelServer/start.ts';
import type { Reaction } from '../../testing/fakeModelServer/react.ts';
import { addSuite, callOptions, createModelWorkspace } from '../../testing/modelWorkspace.ts';

const workspace = createModelWorkspace();

describe('agreement of repetitions', () => {
  it('measures agreement among the repetitions of a case, from three on', async () => {
    const services = await workspace.open('agreement');
    const suiteId = await addSuite(services, [
      ['please s__add', 'add'],
      ['waver', 'add'],
    ]);
    let wavers = 0;
    workspace.rule = (request) =>
      request.query === 'waver'
        ? {
            does: 'answer',
            calls: [{ name: (wavers += 1) === 2 ? 's__delete' : 's__add', arguments: {} }],
          }
        : callWhatIsNamed(request);
    const { rows, summary } = await workspace.run(services, suiteId, {
      repetitions: 4,
      concurrency: 1,
    });
    expect(rows.map(({ confidence }) => confidence)).toEqual(
      [1, 1, 1, 1, 0.75, 0.25, 0.75, 0.75].map((score) => ({ score, method: 'agreement' })),
    );
    expect(summary.confidence).toEqual({
      robust: 7,
      needsClarity: 0,
      misleading: 0,
      wrongLow: 1,
      unmeasured: 0,
      method: 'agreement',
      others: [],
    });
    expect(
      (await workspace.run(services, suiteId, { repetitions: 2 })).rows.every(
        ({ confidence }) => confidence === null,
      ),
    ).toBe(true);
  });

  it('compares sets of tools: neither their order nor repeated calls matter', async () => {
    const services = await workspace.open('agreement of sets');
    const suiteId = await addSuite(services, [['waver', 'add']]);
    const orders = [
      ['s__add', 's__delete'],
      ['s__delete', 's__add'],
      ['s__add', 's__add', 's__delete'],
      ['s__add'],
      ['s__add', 'add'],
      ['add', 's__add', 'add'],
    ];
    let asked = 0;
    workspace.rule = () => ({
      does: 'answer',
      calls: (orders[asked++] ?? []).map((name) => ({ name, arguments: {} })),
    });
    const { rows } = await workspace.run(services, suiteId, { repetitions: 6, concurrency: 1 });
    // A made-up tool is one of the set, and is none of the tools that were offered.
    expect(rows.map(({ confidence }) => confidence?.score)).toEqual([
      3 / 6,
      3 / 6,
      3 / 6,
      1 / 6,
      2 / 6,
      2 / 6,
    ]);
  });

  it('measures agreement again after an early stop, a cancel and a resume', async () => {
    const services = await workspace.open('agreement resumed');
    const suiteId = await addSuite(services, [
      ['please s__add', 'add'],
      ['waver', 'add'],
    ]);
    let fourth: Reaction = {
      does: 'error',
      status: 401,
      type: 'authentication_error',
      message: 'No.',
    };
    let asked = 0;
    const [stalled, stall] = [
      Promise.withResolvers<void>(),
      { does: 'stall before headers' } as const,
    ];
    workspace.rule = (request) => {
      asked += 1;
      if (asked <= 6) return callWhatIsNamed({ ...request, query: 's__add' });
      if (fourth === stall) stalled.resolve();
      return fourth;
    };
    const { id, evaluation, rows } = await workspace.run(services, suiteId, {
      repetitions: 4,
      concurrency: 1,
    });
    const confidences = async () =>
      (
        await services.evaluations.runs({
          id,
          filter: {},
          sort: 'position',
          descending: false,
          offset: 0,
          limit: 500,
        })
      ).rows.map(({ confidence }) => confidence?.score ?? null);
    const end = async () => {
      // To the end of the stream: each go before has an end of its own in it.
      let last = '';
      for await (const event of services.evaluations.watch({ id, afterSeq: 0 }, callOptions))
        last = event.type;
      expect(last).toBe('ended');
    };
    expect(evaluation).toMatchObject({
      state: 'incomplete',
      counts: { tp: 6, failed: 1, open: 1 },
    });
    expect(rows.map(({ confidence }) => confidence?.score ?? null)).toEqual([
      1,
      1,
      1,
      null,
      1,
      1,
      1,
      null,
    ]);
    fourth = stall;
    await services.evaluations.resume({ id });
    await stalled.promise;
    await services.evaluations.cancel({ id });
    expect((await confidences()).every((score) => score === null)).toBe(true);
    fourth = { does: 'answer', calls: [{ name: 's__delete', arguments: {} }] };
    await services.evaluations.resume({ id });
    await end();
    expect(await confidences()).toEqual([0.75, 0.75, 0.75, 0.25, 0.75, 0.75, 0.75, 0.25]);
  });
});
