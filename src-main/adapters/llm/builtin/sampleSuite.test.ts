import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isCorrectUnit, toolId } from '../../../../src-shared/domain/labels.ts';
import { caseFile, type SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';
import { alternatives, type ExpectedCall } from '../../../../src-shared/domain/testCase.ts';
import { scoreRun } from '../../../scoring/scoreRun.ts';
import { validateMatchers } from '../../../scoring/validateMatchers.ts';
import { toolDefinitions } from '../../../servers/todo/toolSchemas.ts';
import { createBuiltinModel } from './builtinModel.ts';
import { scoreFloor } from './chooseTool.ts';

const suite = caseFile.parse(
  parse(
    readFileSync(
      new URL('../../../../datasets/sample/todo-sample.suite.yaml', import.meta.url),
      'utf8',
    ),
  ),
);
const tools = toolDefinitions.map(({ name, title, description, inputSchema }, at) => ({
  server: 'todo',
  name,
  title,
  description,
  inputSchema,
  outputSchema: null,
  annotations: null,
  snapshotToolId: at + 1,
  hash: name,
  toolId: toolId('todo', name),
}));
const expectedCallsOf = (item: SuiteFileCase): ExpectedCall[] =>
  item.expected_calls.map((call) =>
    'any_of' in call
      ? { anyOf: call.any_of, ...(call.parameters ? { parameters: call.parameters } : {}) }
      : call,
  );

describe('the sample suite', () => {
  it('has at least 30 cases with unique ids, each with a tag', () => {
    expect(new Set(suite.cases.map((item) => item.id)).size).toBe(suite.cases.length);
    expect(suite.cases.length).toBeGreaterThanOrEqual(30);
    for (const item of suite.cases) expect(item.tags?.length ?? 0).toBeGreaterThan(0);
  });

  it('expects only calls that the bundled server accepts', () => {
    for (const item of suite.cases) {
      for (const call of expectedCallsOf(item)) {
        for (const wanted of alternatives(call)) {
          const tool = tools.find(
            ({ server, name }) => server === wanted.server && name === wanted.tool,
          );
          expect(tool, item.id).toBeDefined();
          const schema = tool?.inputSchema ?? { type: 'object' };
          expect(Object.keys(schema['properties'] ?? {}), item.id).toEqual(
            expect.arrayContaining(Object.keys(call.parameters ?? {})),
          );
          expect(Object.keys(call.parameters ?? {}), item.id).toEqual(
            expect.arrayContaining(schema['required'] as string[]),
          );
          expect(validateMatchers(call.parameters ?? {}, schema), item.id).toEqual([]);
        }
      }
    }
  });

  it('has cases of every kind and for every tool', () => {
    const tags = new Set(suite.cases.flatMap((item) => item.tags ?? []));
    expect([...tags]).toEqual(
      expect.arrayContaining([
        'right-tool',
        'confusable',
        'no-tool',
        'two-call',
        'parameters',
        'any-of',
      ]),
    );
    const wanted = new Set(
      suite.cases.flatMap((item) =>
        expectedCallsOf(item).flatMap((call) => alternatives(call).map(({ tool }) => tool)),
      ),
    );
    expect([...wanted].sort()).toEqual(toolDefinitions.map(({ name }) => name).sort());
  });
});

async function runSample() {
  const model = createBuiltinModel();
  return await Promise.all(
    suite.cases.map(async (item) => {
      const request = {
        query: item.query,
        system: suite.system ?? null,
        messages: [],
        tools,
        repetition: 1,
      };
      const { observation, response } = await model.choose(request, new AbortController().signal);
      const expectation = {
        expectedCalls: expectedCallsOf(item),
        orderDependent: item.order_dependent ?? false,
        allowedCalls: item.allowed_calls ?? [],
      };
      const score = scoreRun(
        {
          expectation,
          query: item.query,
          calls: observation.calls,
          tools,
          confidence: observation.confidence,
          highConfidence: 0.7,
          modelReasoning: observation.reasoning,
        },
        {
          validate: () => ({ outcome: 'conforms' }),
          cannotDecide: () => null,
          matchesRegex: (pattern, text) => new RegExp(pattern, 'u').test(text),
        },
      );
      const { ranking } = response as { ranking: { tool: string; score: number }[] };
      return { item, score, top: ranking[0] };
    }),
  );
}

describe('builtin on the sample suite', () => {
  it('has the score floor that passes the most cases', async () => {
    const runs = await runSample();
    const rightAt = (floor: number): number =>
      runs.filter(({ item, top }) => {
        const called = top && top.score >= floor ? top.tool : null;
        const calls = expectedCallsOf(item);
        if (calls.length === 0) return called === null;
        const [only] = calls;
        return (
          calls.length === 1 &&
          only &&
          alternatives(only).some(({ server, tool }) => toolId(server, tool) === called)
        );
      }).length;
    const best = Math.max(...Array.from({ length: 100 }, (_, at) => rightAt(at / 100)));
    expect(rightAt(scoreFloor)).toBe(best);
  });

  it('passes most cases, but not all', async () => {
    const runs = await runSample();
    const units = runs.flatMap(({ score }) => score.units);
    const hits = units.filter(isCorrectUnit).length;
    const precision = hits / units.filter(({ selected }) => selected !== '(no tool)').length;
    const recall = hits / units.filter(({ expected }) => expected !== '(no tool)').length;
    const f1 = (2 * precision * recall) / (precision + recall);
    expect(f1).toBeGreaterThan(0.65);
    expect(f1).toBeLessThan(0.9);
    const matched = runs.filter(({ score }) => score.classification === 'TP');
    const parameters =
      matched.reduce((sum, { score }) => sum + score.matchedParameters, 0) /
      matched.reduce((sum, { score }) => sum + score.expectedParameters, 0);
    expect(parameters).toBeGreaterThan(0.8);
  });
});
