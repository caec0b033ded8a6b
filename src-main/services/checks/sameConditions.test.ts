import { describe, expect, it } from 'vitest';
import { evaluationRequest } from '../../../src-shared/domain/evaluation.ts';
import type { Comparison } from '../../../src-shared/domain/comparison.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  addSuite,
  callOptions,
  correctQueries,
  createModelWorkspace,
} from '../../testing/modelWorkspace.ts';
import { conditionNames, type ConditionName } from '../runs/conditions.ts';
import { compare } from '../results/compare.ts';
import { readReportFile } from './readReportFile.ts';
import { reportSide } from './reportSides.ts';

const workspace = createModelWorkspace();
type Services = Awaited<ReturnType<typeof workspace.open>>;

interface Change {
  settings?: object;
  model?: object;
  /** What both sides have besides. */
  both?: object;
  bothModels?: object;
}

/** One change for each condition of cases, and what a comparison says of it. */
const changes: Record<Exclude<ConditionName, TaskOnly>, [Change, RegExp]> = {
  'base URL': [{ model: { baseUrl: 'other' } }, /^base URL: http.*v1 → http.*v1\/$/],
  command: [{}, /^$/],
  'agent template': [{}, /^$/],
  'wire format': [{ model: { api: 'chat' } }, /^wire format: openai-responses → openai-chat$/],
  temperature: [{ model: { temperature: null } }, /^temperature: 0.4 → none$/],
  effort: [{ model: { reasoningEffort: 'high' } }, /^effort: none → high$/],
  'strict mode': [{ model: { strict: true } }, /^strict mode: off → on$/],
  'deferred tools': [{ model: { deferTools: true } }, /^deferred tools: off → on$/],
  'confidence by': [
    { model: { confidence: 'self_report' } },
    /^confidence by: none → self_report$/,
  ],
  headers: [{ model: { headers: { 'x-tier': 'fast' } } }, /^headers: none → \{"x-tier":"fast"\}$/],
  query: [{ model: { query: { v: '2' } } }, /^query: none → \{"v":"2"\}$/],
  'body fields': [{ model: { body: { top_p: 0.5 } } }, /^body fields: none → \{"top_p":0.5\}$/],
  streaming: [{ model: { stream: true } }, /^streaming: none → on$/],
  timeout: [{ model: { timeout: 60 } }, /^timeout: 30 → 60$/],
  retries: [{ model: { maxRetries: 1 } }, /^retries: 0 → 1$/],
  'context size': [{ model: { contextTokens: 90_000 } }, /^context size: none → 90000$/],
  'agent version': [{}, /^$/],
  'system prompt': [{ settings: { systemPrompt: 'Be exact.' } }, /^system prompt$/],
  'earlier messages': [{}, /^$/],
  'server instructions': [
    { settings: { serverInstructions: true } },
    /^server instructions: off → on$/,
  ],
  client: [{ settings: { client: 'codex' } }, /^client: as providers take them → Codex$/],
  servers: [{ settings: { servers: ['s'] } }, /^servers: none → s$/],
  repetitions: [{ settings: { repetitions: 2 } }, /^repetitions: 1 → 2$/],
  'tools shown': [{ settings: { topK: 2 }, both: { topK: 3 } }, /^tools shown: 3 → 2$/],
  retriever: [
    { settings: { retriever: 'tfidf' }, both: { topK: 2 } },
    /^retriever: default → tfidf$/,
  ],
  turns: [{ settings: { maxTurns: 2 } }, /^turns: 1 → 2$/],
  'arguments mode': [
    { settings: { argumentsMode: 'exact' } },
    /^arguments mode: at-least → exact$/,
  ],
  'tool order': [
    { settings: { toolOrder: 'shuffled' }, both: { caseOrder: 'shuffled' } },
    /^tool order: listed → shuffled$/,
  ],
  'case order': [
    { settings: { caseOrder: 'shuffled' }, both: { toolOrder: 'shuffled' } },
    /^case order: suite → shuffled$/,
  ],
  seed: [{ settings: { seed: 7 }, both: { toolOrder: 'shuffled' } }, /^seed: 0 → 7$/],
};
type TaskOnly = 'judge' | 'judge counts';

async function start(services: Services, suiteId: string, settings: object, model: object) {
  const { id } = await services.evaluations.start(
    evaluationRequest.parse({
      suiteId,
      ...settings,
      models: [
        {
          provider: 'openai',
          model: 'gpt-4.1',
          maxRetries: 0,
          ...model,
          baseUrl: `${workspace.server.origin}/v1${'baseUrl' in model ? '/' : ''}`,
        },
      ],
    }),
  );
  for await (const _event of services.evaluations.watch({ id, afterSeq: 0 }, callOptions));
  return id;
}

async function readReport(services: Services, id: string, change: (document: object) => object) {
  let text = '';
  for await (const part of services.reports.export(
    { id, format: 'json', short: false, stamp: null },
    callOptions,
  ))
    text += part.text;
  const report = readReportFile(change(JSON.parse(text) as object));
  if (!report) throw new Error('It is no report.');
  return reportSide({ name: id, isFile: true, report }, report.models[0] ?? null);
}

/** What the comparison of two evaluations says from the workspace and from their reports. */
async function bothWays(
  services: Services,
  [before, after]: [string, string],
  change: (document: object) => object = (document) => document,
) {
  const fromStore = await refusalOr(() =>
    services.results.compare({
      baseline: { id: before, modelSettingsId: null },
      candidates: [{ id: after, modelSettingsId: null }],
      passedWhen: null,
    }),
  );
  const [old, now] = [
    await readReport(services, before, change),
    await readReport(services, after, change),
  ];
  const fromReports = await refusalOr(() => compare(old, [now], 'selection_and_parameters'));
  return { fromStore, fromReports };
}

/** What a comparison says of its candidate, or why it is refused. */
async function refusalOr(work: () => Promise<Comparison> | Comparison) {
  try {
    const { candidates } = await work();
    const [one] = candidates;
    return { conditions: one?.conditions, modelDiffers: one?.modelDiffers };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { cause: error.data.cause, nextStep: error.data.nextStep };
  }
}

describe('two evaluations that differ in one condition', () => {
  it('are compared with the same words from the workspace and from their reports', async () => {
    const services = await workspace.open('conditions');
    const suiteId = await addSuite(services, correctQueries(2));
    const plain = await start(services, suiteId, {}, {});
    for (const [name, [change, said]] of Object.entries(changes)) {
      if (said.source === '^$') continue;
      const { both, settings = {}, model = {} } = change;
      const pair: [string, string] = [
        both ? await start(services, suiteId, both, {}) : plain,
        await start(services, suiteId, { ...both, ...settings }, model),
      ];
      const { fromStore, fromReports } = await bothWays(services, pair);
      expect(fromReports, name).toEqual(fromStore);
      const { conditions } = fromReports as { conditions: string[] };
      // Another wire format may send other settings.
      expect(
        conditions.some((each) => said.test(each)),
        `${name}: ${conditions.join('; ')}`,
      ).toBe(true);
      if (name !== 'wire format') expect(conditions, name).toHaveLength(1);
    }
  });

  it('name earlier messages, and refuse other cases or two causes, in the same words', async () => {
    const services = await workspace.open('obstacles');
    const suiteId = await addSuite(services, correctQueries(2));
    const first = await start(services, suiteId, {}, {});
    const suite = await services.suites.get({ id: suiteId });
    await services.suites.update({
      id: suiteId,
      name: suite.name,
      system: suite.system,
      messages: [{ role: 'user', content: 'Hi.' }],
      servers: suite.servers,
    } as never);
    const second = await start(services, suiteId, {}, {});
    const { fromStore, fromReports } = await bothWays(services, [first, second]);
    expect(fromReports).toEqual(fromStore);
    expect(fromReports).toMatchObject({ conditions: ['earlier messages'] });

    const otherSuite = await addSuite(services, [['please remove it', 'delete']], 'other');
    const other = await start(services, otherSuite, {}, {});
    const apart = await bothWays(services, [first, other]);
    expect(apart.fromReports).toEqual(apart.fromStore);
    expect(apart.fromReports).toMatchObject({ cause: 'All 1 shared cases changed between them.' });

    const model = await start(services, suiteId, {}, { model: 'gpt-4o' });
    const models = await bothWays(services, [second, model]);
    expect(models.fromReports).toEqual(models.fromStore);
    expect(models.fromReports).toMatchObject({ modelDiffers: true });
  });

  it('name another program that answers in place of a model', async () => {
    const services = await workspace.open('programs');
    const suiteId = await addSuite(services, correctQueries(2));
    const answer = { choices: [{ finish_reason: 'stop', message: { content: 'No tool.' } }] };
    const code = `process.stdin.resume().on('end', () => console.log(${JSON.stringify(JSON.stringify(answer))}))`;
    const startProgram = async (...more: string[]) => {
      const { id } = await workspace.run(services, suiteId, {
        models: [
          {
            provider: 'command',
            model: 'own',
            baseUrl: null,
            command: [process.execPath, '-e', code, ...more],
          },
        ],
      });
      return id;
    };
    const pair: [string, string] = [await startProgram(), await startProgram('another')];
    const { fromStore, fromReports } = await bothWays(services, pair);
    expect(fromReports).toEqual(fromStore);
    expect(fromReports).toMatchObject({ conditions: ['command'], modelDiffers: false });
  });
});

it('has a change for every condition of cases', () => {
  expect(Object.keys(changes)).toEqual(
    conditionNames.filter((name) => name !== 'judge' && name !== 'judge counts'),
  );
});
