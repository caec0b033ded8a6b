import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { ActualCall } from '../../../../src-shared/domain/observation.ts';
import { WorkerPool } from '../../../adapters/process/workerPool.ts';
import { AjvJudge } from '../../../scoring/ajvJudge.ts';
import type { OfferedTool } from '../../../scoring/scoreInput.ts';
import { scoreRun } from '../../../scoring/scoreRun.ts';
import { createScorer, type ObservedRun, type Scorer, type ToolList } from './scorer.ts';

const slowText = `${'a'.repeat(40)}!`;
let deepSchema: JsonObject = { type: 'string' };
for (let level = 0; level < 3000; level += 1) deepSchema = { properties: { a: deepSchema } };
const wide = Object.fromEntries(
  Array.from({ length: 50_000 }, (_, index) => [`p${index}`, { type: 'string' }]),
);

const schemas: Record<string, JsonObject> = {
  honest: { type: 'object', properties: { a: { type: 'string', maxLength: 5 } }, required: ['a'] },
  slow: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
  deep: { type: 'object', properties: { a: deepSchema } },
  wide: { type: 'object', properties: wide },
  old: {
    $schema: 'http://json-schema.org/draft-04/schema#',
    type: 'object',
    properties: { a: { type: 'string' } },
  },
  proto: JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"number"},"a":{"type":"string"}}}',
  ) as JsonObject,
};

function toList(key: string, names: string[]): ToolList {
  const tools = names.map((name): OfferedTool => ({
    toolId: `s:${name}`,
    server: 's',
    name,
    title: null,
    description: name,
    inputSchema: schemas[name] ?? {},
    outputSchema: null,
    annotations: null,
  }));
  return { key, tools };
}

function run(name: string, args: JsonObject, parameters?: JsonObject): ObservedRun {
  const call: ActualCall = {
    id: '1',
    server: 's',
    tool: name,
    name,
    arguments: args,
    argumentsText: null,
  };
  return {
    content: {
      query: `use ${name}`,
      expectedCalls: [{ server: 's', tool: name, ...(parameters ? { parameters } : {}) }],
      orderDependent: false,
      allowedCalls: [],
    },
    observation: { calls: [call], confidence: null, reasoning: null },
    highConfidence: 0.7,
    argumentsMode: 'at-least',
  };
}

const disposable = (own: Scorer): Scorer & AsyncDisposable =>
  Object.assign(own, { [Symbol.asyncDispose]: () => own.close() });

/** Five times the limit, for a size that a slow machine takes longer for than 200 ms. */
const ample = { cpuLimitMs: 5 * 200 };

let scorer: Scorer;
beforeAll(() => {
  scorer = createScorer();
});
afterAll(() => scorer.close());

describe('Scorer', () => {
  const list = toList('all', ['honest', 'slow', 'deep', 'old', 'proto']);

  it('T36: keeps the event loop free and other scores intact next to a hostile schema', async () => {
    let turns = 0;
    let over = false;
    const turn = (): void => {
      turns += 1;
      if (!over) setImmediate(turn);
    };
    turn();
    const [before, slow, between, old, after] = await Promise.all([
      scorer.score(list, run('honest', { a: 'x' })),
      scorer.score(list, run('slow', { a: slowText }, { a: slowText })),
      scorer.score(list, run('honest', { a: 'too long' })),
      scorer.score(list, run('old', { a: 'x' })),
      scorer.score(list, run('honest', {})),
    ]);
    over = true;
    expect(turns).toBeGreaterThan(50);
    expect(before).toMatchObject({
      classification: 'TP',
      parameterTypeConformance: true,
      passed: true,
    });
    expect(slow).toMatchObject({
      classification: 'TP',
      parameterTypeConformance: null,
      passed: null,
      parameterCorrectness: 1,
    });
    expect(slow.recommendations.map(({ message }) => message).join()).toContain(
      "didn't finish within 200 ms of CPU time",
    );
    expect(between).toMatchObject({ parameterTypeConformance: false, passed: false });
    expect(old).toMatchObject({ parameterTypeConformance: true, passed: true });
    expect(after).toMatchObject({
      missingParameters: ['a'],
      parameterTypeConformance: true,
      passed: false,
    });
  });

  describe('of a command', () => {
    const onThreads = vi.spyOn(WorkerPool.prototype, 'run');
    beforeEach(() => void onThreads.mockClear());
    afterAll(() => onThreads.mockRestore());
    const quick = toList('quick', ['honest']);
    const command = { inPlace: 2, ...ample };

    it('scores its first quick runs without a thread, as a thread does', async () => {
      await using own = disposable(createScorer(command));
      const runs = [run('honest', { a: 'x' }), run('honest', { a: 'too long' }, { a: 'x' })];
      const here = await Promise.all(runs.map((each) => own.score(quick, each)));
      expect(onThreads).not.toHaveBeenCalled();
      expect(here).toEqual(await Promise.all(runs.map((each) => scorer.score(quick, each))));
      onThreads.mockClear();
      await own.score(quick, run('honest', {}));
      expect(onThreads).toHaveBeenCalledOnce();
    });

    it.each<[string, ToolList, ObservedRun]>([
      ['a pattern in a schema', toList('slow', ['slow']), run('slow', { a: slowText })],
      [
        'a pattern in an expectation',
        quick,
        run('honest', { a: slowText }, { a: { $regex: '^(a+)+$' } }),
      ],
      ['a deep schema', toList('deep', ['deep']), run('deep', { a: 'x' })],
      ['a wide schema', toList('wide', ['wide']), run('wide', { p1: 'x' })],
      ['long arguments', quick, run('honest', { a: 'x'.repeat(20_000) })],
    ])('starts a thread for %s', async (_what, given, each) => {
      await using own = disposable(createScorer(command));
      expect(await own.score(given, each)).toMatchObject({ classification: 'TP' });
      expect(onThreads).toHaveBeenCalled();
    });
  });

  it('T36: fails a parameter whose expected pattern exceeds the time limit, with the reason', async () => {
    const score = await scorer.score(
      list,
      run('honest', { a: slowText }, { a: { $regex: '^(a+)+$' } }),
    );
    expect(score).toMatchObject({
      classification: 'TP',
      parameterCorrectness: 0,
      parameterTypeConformance: false,
      passed: false,
    });
    expect(score.parameters[0]?.reason).toContain(
      "the pattern didn't finish within 200 ms of CPU time",
    );
  });

  it('T36: scores a run whose schema and pattern both exceed the time limit', async () => {
    const score = await scorer.score(
      list,
      run('slow', { a: slowText }, { a: { $regex: '^(a*)*$' } }),
    );
    expect(score).toMatchObject({
      parameterCorrectness: 0,
      parameterTypeConformance: null,
      passed: null,
    });
  });

  it('T36: stops trying a slow schema after three runs', async () => {
    const own = createScorer({ cpuLimitMs: 50 });
    try {
      for (let index = 0; index < 3; index += 1)
        await own.score(list, run('slow', { a: slowText }));
      const scores = await Promise.all(
        Array.from({ length: 30 }, () => own.score(list, run('slow', { a: slowText }))),
      );
      expect(
        new Set(scores.map(({ parameterTypeConformance }) => parameterTypeConformance)),
      ).toEqual(new Set([null]));
      expect(scores[29]?.recommendations.map(({ message }) => message).join()).toContain(
        'in 3 runs and is not tried again',
      );
      expect(await own.score(list, run('honest', { a: 'x' }))).toMatchObject({ passed: true });
    } finally {
      await own.close();
    }
  });

  it('T36: tries a slow schema three times although many runs with it arrive at once', async () => {
    const own = createScorer({ cpuLimitMs: 50 });
    try {
      const scores = await Promise.all(
        Array.from({ length: 40 }, () => own.score(list, run('slow', { a: slowText }))),
      );
      const reasons = scores.map(({ recommendations }) =>
        recommendations.map(({ message }) => message).join(),
      );
      const tried = reasons.filter((reason) => reason.includes('within 50 ms'));
      expect(tried).toHaveLength(3);
      expect(reasons.filter((reason) => reason.includes('is not tried again'))).toHaveLength(37);
    } finally {
      await own.close();
    }
  });

  it('T36: survives a nesting of 6,000 levels in schema, arguments and case', async () => {
    let deep: JsonValue = 'x';
    for (let level = 0; level < 6000; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
    const [schema, args, both] = await Promise.all([
      scorer.score(list, run('deep', { a: 'x' })),
      scorer.score(list, run('honest', { a: 'x', b: deep }, { a: 'X' })),
      scorer.score(list, run('honest', { a: deep }, { a: deep })),
    ]);
    expect(schema).toMatchObject({ classification: 'TP', parameterTypeConformance: null });
    expect(args).toMatchObject({
      classification: 'TP',
      parameterCorrectness: 1,
      hallucinatedParameters: ['b'],
    });
    expect(both).toMatchObject({
      classification: 'TP',
      parameterCorrectness: 0,
      parameterTypeConformance: null,
      passed: null,
    });
    expect(() => JSON.stringify([schema, args, both])).not.toThrow();
  });

  it('T36: scores a schema of 50,000 properties and arguments of 100,000 values', async () => {
    await using own = disposable(createScorer(ample));
    const items: JsonObject = { a: 'x', b: Array.from({ length: 100_000 }, (_, index) => index) };
    const [schema, args] = await Promise.all([
      own.score(toList('wide', ['wide']), run('wide', { p1: 'x' })),
      own.score(list, run('honest', items, { a: 'x', b: items['b'] ?? null })),
    ]);
    expect(schema.classification).toBe('TP');
    expect(schema.parameterTypeConformance).not.toBe(false);
    expect(args).toMatchObject({ parameterCorrectness: 1, hallucinatedParameters: ['b'] });
  });

  it('T36: never fetches a remote reference', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      schemas['remote'] = { properties: { a: { $ref: `http://127.0.0.1:${port}/schema.json` } } };
      const score = await scorer.score(toList('remote', ['remote']), run('remote', { a: 1 }));
      expect(score).toMatchObject({ classification: 'TP', parameterTypeConformance: true });
      expect(score.recommendations.map(({ message }) => message).join()).toContain(
        '/properties/a/$ref',
      );
      expect(requests).toBe(0);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('T36: passes __proto__ to the worker and back as an ordinary key', async () => {
    const args = JSON.parse('{"__proto__":{"polluted":true},"a":"x"}') as JsonObject;
    const [known, unknown] = await Promise.all([
      scorer.score(list, run('proto', args, args)),
      scorer.score(list, run('honest', args)),
    ]);
    expect(known).toMatchObject({
      parameterCorrectness: 1,
      expectedParameters: 2,
      hallucinatedParameters: [],
    });
    expect(unknown.hallucinatedParameters).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('returns the same score as scoring without a worker', async () => {
    const judge = new AjvJudge();
    const runs = [
      run('honest', { a: 'x', z: 1 }, { a: 'X', b: { $absent: true } }),
      run('honest', { a: 5 }, { a: { $regex: '^x' } }),
      run('old', {}, { a: 1 }),
    ];
    for (const each of runs) {
      const { content, observation, highConfidence } = each;
      const direct = scoreRun(
        {
          expectation: content,
          query: content.query,
          calls: observation.calls,
          tools: list.tools,
          confidence: null,
          highConfidence,
          modelReasoning: null,
        },
        judge,
      );
      expect(await scorer.score(list, each)).toEqual(direct);
    }
  });

  it('returns each run its own score across batches and tool lists', async () => {
    const other = toList('other', ['honest']);
    const scores = await Promise.all(
      Array.from({ length: 350 }, (_, index) =>
        scorer.score(
          index % 3 === 0 ? other : list,
          run(
            index % 2 === 0 ? 'honest' : 'old',
            { a: `v${index}` },
            { a: index % 5 === 0 ? 'no' : `v${index}` },
          ),
        ),
      ),
    );
    for (const [index, score] of scores.entries()) {
      const phantom = index % 3 === 0 && index % 2 === 1;
      expect(score.classification).toBe(phantom ? 'FN' : 'TP');
      if (!phantom) expect(score.parameterCorrectness).toBe(index % 5 === 0 ? 0 : 1);
    }
  });

  it('keeps runs with their own tools apart', async () => {
    const ask = (name: string) => {
      const { content, observation } = run(name, { a: 'too long' });
      return scorer.scoreInput({
        expectation: content,
        query: content.query,
        calls: observation.calls,
        tools: toList('', [name]).tools,
        confidence: null,
        highConfidence: 0.7,
        modelReasoning: null,
      });
    };
    const [honest, old] = await Promise.all([ask('honest'), ask('old')]);
    expect([honest.parameterTypeConformance, old.parameterTypeConformance]).toEqual([false, true]);
  });

  it('rejects an aborted run, scores the others, and rejects all after close', async () => {
    const own = createScorer();
    const abort = new AbortController();
    const aborted = own.score(list, run('honest', { a: 'x' }), abort.signal);
    const kept = own.score(list, run('honest', { a: 'x' }));
    abort.abort(new Error('stop'));
    await expect(aborted).rejects.toThrow('stop');
    expect(await kept).toMatchObject({ passed: true });
    await own.close();
    await expect(own.score(list, run('honest', { a: 'x' }))).rejects.toThrow('closed');
  });
});
