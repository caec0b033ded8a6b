import { describe, expect, it } from 'vitest';
import type { ListedResult } from '../../../../src-shared/contract/results.ts';
import { evaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { defaultAppSettings } from '../../../../src-shared/domain/settings.ts';
import { storedTaskSettings } from '../../../../src-shared/domain/taskEvaluation.ts';
import { emptyForm, parseForm, requestsOf } from './evaluationForm.ts';
import { formOfResult } from './lastSettings.ts';

const start = emptyForm(defaultAppSettings, 's1');
const caseResult = (settings: object): ListedResult =>
  ({ unit: 'case', evaluation: { settings: evaluationSettings.parse(settings) } }) as ListedResult;
const taskResult = (settings: object): ListedResult =>
  ({ unit: 'task', evaluation: { settings: storedTaskSettings.parse(settings) } }) as ListedResult;

const endpoint = {
  provider: 'openai-compatible',
  model: 'qwen 3',
  ...{ timeout: 90, temperature: null, maxRetries: 1, baseUrl: 'http://127.0.0.1:9/v1' },
  ...{ api: 'responses', reasoningEffort: 'low', strict: true, deferTools: true },
  ...{ confidence: 'logprobs', contextTokens: 32_000, requestsPerMinute: 5, maxWait: 10 },
  ...{ headers: { 'x-team': 'a' }, query: { v: '1' }, body: { top_p: 0.9 }, stream: true },
};

describe('the form of a new evaluation with the settings of an earlier one', () => {
  it.each([
    ['an endpoint with every option', endpoint],
    ['the built-in model', { provider: 'builtin', model: 'default-v1', timeout: 30 }],
    ['a recording', { provider: 'replay', model: 'm', replayFile: '/a b/r.jsonl' }],
    ['a program', { provider: 'command', model: 'm', command: ['node', 'a b.mjs', '--x'] }],
  ])('starts the same evaluation of cases with %s', (_name, model) => {
    const settings = evaluationSettings.parse({
      ...{ suiteId: 's1', models: [model, { ...model, model: model.model }] },
      ...{ servers: ['todo'], repetitions: 4, concurrency: 2, highConfidence: 0.9, seed: 7 },
      ...{ caseOrder: 'shuffled', toolOrder: 'shuffled', systemPrompt: 'Be brief.', maxTurns: 3 },
      ...{ serverInstructions: true, spendLimitUsd: 1.5, client: 'codex' },
      gates: [{ metric: 'pass_rate', bound: 'low', side: 'min', limit: 0.5 }],
    });
    const form = formOfResult(caseResult(settings), start);
    expect(requestsOf(form, parseForm(form).settings, null)).toEqual([
      { ...settings, unit: 'case' },
    ]);
  });

  it('starts the same evaluation of tasks, and agrees to nothing', () => {
    const settings = {
      ...{ suiteId: 's1', models: [endpoint], mode: 'full', agreedServers: ['todo'] },
      client: 'claude-code',
      judge: { provider: 'openai', model: 'judge', temperature: 0 },
    };
    const form = formOfResult(taskResult(settings), { ...start, entries: 'tasks' });
    expect(form.mode).toBe('full');
    expect(requestsOf(form, parseForm(form).settings, 'full')).toEqual([
      {
        ...storedTaskSettings.parse(settings),
        ...{ agreedServers: [], whatIf: undefined, unit: 'task' },
      },
    ]);
  });

  it('never brings back a credential, and never writes to a recording again', () => {
    const form = formOfResult(
      caseResult({
        suiteId: 's1',
        recordFile: '/tmp/r.jsonl',
        models: [
          {
            ...endpoint,
            baseUrl: 'http://u:[redacted]@127.0.0.1/v1',
            headers: { 'x-key': '[redacted]', 'x-team': 'a' },
          },
        ],
      }),
      start,
    );
    expect(form.recordFile).toBe('');
    expect(form.models[0]).toMatchObject({ baseUrl: '', headers: 'x-team: a' });
    expect(JSON.stringify(form)).not.toContain('redacted');
  });
});
