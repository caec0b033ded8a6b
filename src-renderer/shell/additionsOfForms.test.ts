import { describe, expect, it } from 'vitest';
import { optimizationSettings } from '../../src-shared/domain/optimization.ts';
import {
  additionFaults,
  typedAdditions,
  type TypedAdditions,
} from '../../src-shared/domain/requestAdditions.ts';
import { externalRetriever } from '../../src-shared/domain/retrievalRun.ts';
import { defaultAppSettings } from '../../src-shared/domain/settings.ts';
import { readEmbeddingModel, similarityRequest } from '../../src-shared/domain/similarity.ts';
import { readTextModel, textModelConfiguration } from '../../src-shared/domain/textModel.ts';
import { emptyForm, parseForm, taskSettings } from '../features/results/new/evaluationForm.ts';
import { formOf, specOf } from '../features/retrieval/externalRetrieverForm.ts';
import { judgeFaults, noJudge, readJudge } from '../features/security/judgeForm.ts';
import { noSecondModel } from '../models/secondModelForm.ts';

const typed: TypedAdditions = {
  headers: 'X-Tier: fast\n\napi-key: ${secret:gateway}',
  query: 'api-version=2024-10-21',
  body: 'top_p=0.5\nservice_tier=flex\nuser={"id":"u-1"}',
  stream: true,
};
const read = {
  headers: { 'X-Tier': 'fast', 'api-key': '${secret:gateway}' },
  query: { 'api-version': '2024-10-21' },
  body: { top_p: 0.5, service_tier: 'flex', user: { id: 'u-1' } },
};
const endpoint = { provider: 'openai-compatible' as const, model: 'm', baseUrl: 'http://[::1]/v1' };
const started = emptyForm(defaultAppSettings, 's1');
const second = { ...endpoint, additions: typed };
const embedding = { ...endpoint, additions: { ...typed, stream: false } };

/** Settings of an evaluation of tasks with the model of a role. */
const talk = (role: 'judge' | 'user', additions = typed) => {
  const form = { ...started, entries: 'tasks' as const, [role]: { ...second, additions } };
  const { settings } = parseForm(form);
  return settings && taskSettings(settings, 'stub', form);
};
const writer = (additions = typed) => readTextModel({ ...endpoint, additions });
const retriever = (additions = embedding.additions) => {
  const { spec } = specOf({ ...formOf(null), kind: 'embedding', ...endpoint, additions });
  return spec?.kind === 'embedding' ? spec : null;
};

describe('what a person adds to the requests to a model', () => {
  it.each<[string, () => unknown, boolean]>([
    ['a judge', () => talk('judge')?.judge, true],
    ['a simulated user', () => talk('user')?.userModel, true],
    ['a model that judges texts of tools', () => readJudge({ ...noJudge, ...second })?.model, true],
    ['a model that writes and rates', () => writer(), true],
    [
      'a proposer',
      () => {
        const model = writer();
        const proposer = model && { kind: 'model', model: textModelConfiguration(model) };
        return (optimizationSettings.parse({ proposer }).proposer as { model?: unknown }).model;
      },
      true,
    ],
    [
      'an embedding model',
      () =>
        similarityRequest.parse({
          input: { serverList: ['s'] },
          embeddingModel: readEmbeddingModel(embedding),
        }).embeddingModel,
      false,
    ],
    ['an external retriever', () => retriever(), false],
  ])('reaches the request from the form of %s', (_model, request, streams) => {
    expect(request()).toMatchObject({
      ...{ model: 'm', baseUrl: endpoint.baseUrl },
      ...read,
      ...(streams && { stream: true }),
    });
  });

  it.each<[keyof typeof read, string]>([
    ['headers', 'no colon'],
    ['headers', 'Host: elsewhere'],
    ['query', 'no sign'],
    ['body', 'a={broken'],
    ['body', 'messages=[]'],
  ])('stops every form where the %s are %j', (name, line) => {
    const wrong = { ...embedding.additions, [name]: line };
    expect([...additionFaults(wrong).keys()]).toEqual([name]);
    expect(talk('judge', wrong)).toBeNull();
    expect(talk('user', wrong)).toBeNull();
    expect([...judgeFaults({ ...noJudge, ...second, additions: wrong }).keys()]).toEqual([name]);
    expect(writer(wrong)).toBeNull();
    expect(retriever(wrong)).toBeNull();
  });

  it('is left out where nothing was typed or no model is chosen', () => {
    const nothing = { headers: '', query: ' ', body: '\n', stream: false };
    for (const request of [
      talk('judge', nothing)?.judge,
      writer(nothing),
      readEmbeddingModel({ ...endpoint, additions: nothing }),
      retriever(nothing),
    ])
      expect([request?.headers ?? {}, request?.query ?? {}, request?.body ?? {}]).toEqual([
        {},
        {},
        {},
      ]);
    expect(writer(nothing)).toEqual(endpoint);
    expect(readJudge({ ...noJudge, additions: typed })).toBeNull();
    expect(judgeFaults({ ...noSecondModel, runs: 3 }).size).toBe(0);
    // A folder on this computer is sent nothing.
    expect(readEmbeddingModel({ ...embedding, model: '/models/encoder' })).toEqual({
      ...{ provider: 'local', model: '/models/encoder', baseUrl: null },
    });
  });

  it('is in the form as it was read', () => {
    const spec = retriever();
    if (spec === null) throw new Error('It was not read.');
    expect(specOf(formOf(externalRetriever.parse(spec))).spec).toEqual(spec);
    expect(typedAdditions(writer() ?? {})).toEqual({
      ...typed,
      headers: 'X-Tier: fast\napi-key: ${secret:gateway}',
      body: 'top_p=0.5\nservice_tier="flex"\nuser={"id":"u-1"}',
    });
  });
});
