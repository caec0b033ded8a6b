import { afterEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { taskReport } from '../../../src-shared/domain/taskReport.ts';
import { storedTaskSettings } from '../../../src-shared/domain/taskEvaluation.ts';
import { createBuiltinModel } from '../../adapters/llm/builtin/builtinModel.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { createTaskService, task } from '../../testing/taskService.ts';
import {
  conditionNames,
  differingConditions,
  taskConditions,
  type ConditionName,
} from '../runs/conditions.ts';
import { compare } from '../results/compare.ts';
import type { Side } from '../results/side.ts';
import { openSide } from '../results/storedSides.ts';
import { publish } from '../reports/documents/published.ts';
import { tasksDocument } from '../reports/documents/tasksDocument.ts';
import { readReportFile } from './readReportFile.ts';
import { reportSide } from './reportSides.ts';

afterEach(expectNoLeaks);

interface Change {
  settings?: object;
  model?: object;
  /** What both sides have besides. */
  both?: object;
}

const judge = (model: string) => ({ judge: { provider: 'openai', model } });
const user = (model: string) => ({ userModel: { provider: 'openai', model } });

/** Conditions of cases only, and two that no setting of one evaluation changes by itself. */
const untouched = [
  ...[
    'confidence by',
    'tools shown',
    'retriever',
    'client',
    'turns',
    'tool order',
    'case order',
    'seed',
  ],
  ...['arguments mode', 'earlier messages', 'judge counts', 'command', 'agent template'],
  'agent version',
  // Of endpoints, which say what they send.
  ...['headers', 'query', 'body fields', 'streaming'],
] as const satisfies ConditionName[];

/** One change for each condition of tasks, and what a comparison says of it. */
const changes: Record<Exclude<ConditionName, (typeof untouched)[number]>, [Change, string]> = {
  'base URL': [
    { model: { baseUrl: 'http://127.0.0.1:9/v2' } },
    'base URL: http://127.0.0.1:9/v1 → http://127.0.0.1:9/v2',
  ],
  'wire format': [{ model: { api: 'chat' } }, 'wire format: builtin → other'],
  temperature: [{ model: { temperature: 1 } }, 'temperature: 0.4 → 1'],
  effort: [{ model: { reasoningEffort: 'high' } }, 'effort: none → high'],
  'strict mode': [{ model: { strict: true } }, 'strict mode: off → on'],
  'deferred tools': [{ model: { deferTools: true } }, 'deferred tools: off → on'],
  timeout: [{ model: { timeout: 60 } }, 'timeout: 30 → 60'],
  retries: [{ model: { maxRetries: 1 } }, 'retries: 0 → 1'],
  'context size': [{ model: { contextTokens: 90_000 } }, 'context size: none → 90000'],
  'system prompt': [{ settings: { systemPrompt: 'Be exact.' } }, 'system prompt'],
  'server instructions': [
    { settings: { serverInstructions: true } },
    'server instructions: off → on',
  ],
  servers: [{ settings: { servers: ['todo'] } }, 'servers: none → todo'],
  repetitions: [{ settings: { repetitions: 2 } }, 'repetitions: 1 → 2'],
  judge: [{ settings: judge('j2'), both: judge('j1') }, 'judge: openai · j1 → openai · j2'],
};

const open = () =>
  createTaskService(
    [
      task('t', {
        user: { goal: 'Add milk.', persona: '', knows: [], maxTurns: 1 },
        checks: [
          { id: 'made', kind: 'calls', must: ['add_task'], ordered: false, never: [] },
          { id: 'polite', kind: 'judge', rubric: 'The answer is polite.' },
        ],
      }),
    ],
    ({ api }) =>
      Object.assign(createBuiltinModel(), api === 'chat' ? { wireApi: 'other' } : undefined),
  );
type Service = ReturnType<typeof open>;

async function start(at: Service, settings: object, model: object = {}): Promise<string> {
  const baseUrl = 'http://127.0.0.1:9/v1';
  const id = await at.start({
    models: [{ provider: 'openai', model: 'm', baseUrl, maxRetries: 0, ...model }],
    ...settings,
  });
  await at.drain(id);
  return id;
}

async function readReport({ service }: Service, id: string) {
  const shape = publish(tasksDocument, taskReport.parse(await service.report({ id })));
  const text = JSON.stringify({ format: 'touchstone-tasks', version: 1, ...shape });
  const report = readReportFile(JSON.parse(text));
  if (!report) throw new Error('It is no report.');
  return reportSide({ name: id, isFile: true, report }, report.models[0] ?? null);
}

/** What the comparison of two evaluations says from the workspace and from their reports. */
async function bothWays(at: Service, [before, after]: [string, string]) {
  const side = (id: string) => openSide(at.store, { id, modelSettingsId: null });
  return {
    fromStore: said(side(before), side(after)),
    fromReports: said(await readReport(at, before), await readReport(at, after)),
  };
}

/** What a comparison says of its candidate, or why it is refused. */
function said(before: Side, after: Side) {
  try {
    const { candidates } = compare(before, [after], 'selection_and_parameters');
    return { conditions: candidates[0]?.conditions };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { cause: error.data.cause, nextStep: error.data.nextStep };
  }
}

describe('two evaluations of tasks that differ in one condition', () => {
  it('are compared with the same words from the workspace and from their reports', async () => {
    await using at = open();
    const plain = await start(at, {});
    for (const [name, [{ both, settings = {}, model = {} }, named]] of Object.entries(changes)) {
      const pair: [string, string] = [
        both ? await start(at, both) : plain,
        await start(at, { ...both, ...settings }, model),
      ];
      const { fromStore, fromReports } = await bothWays(at, pair);
      expect(fromReports, name).toEqual(fromStore);
      expect(fromReports, name).toEqual({ conditions: [named] });
    }
  });

  it('are refused in the same words in another execution mode, or with another user', async () => {
    await using at = open();
    const pairs: [object, object, RegExp][] = [
      [{}, { mode: 'read-only' }, /^Their execution modes differ: stub, read-only\./u],
      [user('u1'), user('u2'), /^Their simulated users differ: openai · u1, openai · u2\./u],
      [{}, user('u1'), /^Their simulated users differ: none, openai · u1\./u],
    ];
    const plain = await start(at, {});
    for (const [before, after, cause] of pairs) {
      const { fromStore, fromReports } = await bothWays(at, [
        'userModel' in before ? await start(at, before) : plain,
        await start(at, after),
      ]);
      expect(fromReports).toEqual(fromStore);
      expect(fromReports).toMatchObject({ cause: expect.stringMatching(cause) });
    }
  });

  it('name whether the verdicts of the judge count', async () => {
    await using at = open();
    const row = at.store.evaluations.get('task', await start(at, judge('j1')));
    const model = at.store.modelSettings.get(row?.modelSettingsIds[0] ?? '');
    if (!row || !model) throw new Error('The evaluation that just ran is missing.');
    const given = (counts: boolean) =>
      taskConditions(
        storedTaskSettings.parse({ ...row.settings, judgeTerms: { counts, price: null } }),
        { system: null, messages: [] },
        model,
      );
    expect(differingConditions(given(false), given(true))).toEqual(['judge counts: off → on']);
  });
});

it('has a change for every condition of tasks', () => {
  const named = [...Object.keys(changes), ...untouched];
  expect(named.toSorted()).toEqual(conditionNames.toSorted());
});
