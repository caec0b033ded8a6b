import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src-shared/metrics/random.ts';
import { callWhatIsNamed } from '../../testing/fakeModelServer/start.ts';
import {
  addSuite,
  callOptions,
  correctQueries,
  createModelWorkspace,
  titleSchema,
} from '../../testing/modelWorkspace.ts';

const workspace = createModelWorkspace();

describe('evaluations of several models', () => {
  it('T45: stops only the runs of a model whose key is refused; a resume does the rest', async () => {
    const services = await workspace.open('halted');
    const suiteId = await addSuite(services, correctQueries(10));
    let refusing = true;
    workspace.rule = (request) =>
      refusing && request.body['model'] === 'refused'
        ? { does: 'error', status: 401, type: 'authentication_error', message: 'No.' }
        : callWhatIsNamed(request);
    const { id, evaluation, rows } = await workspace.run(services, suiteId, {
      models: [{ model: 'refused' }, {}],
      concurrency: 1,
    });
    expect(evaluation).toMatchObject({
      state: 'incomplete',
      reason: expect.stringContaining('401'),
      counts: { tp: 10, failed: 1, open: 9, total: 20 },
    });
    expect(
      new Set(
        rows
          .filter(({ status }) => status === 'completed')
          .map(({ modelSettingsId }) => modelSettingsId),
      ).size,
    ).toBe(1);
    const before = workspace.server.requests.length;
    refusing = false;
    await services.evaluations.resume({ id });
    let last = '';
    for await (const event of services.evaluations.watch({ id, afterSeq: 0 }, callOptions))
      last = event.type;
    expect(last).toBe('ended');
    expect((await services.evaluations.get({ id })).counts).toMatchObject({
      tp: 20,
      failed: 0,
      open: 0,
    });
    expect(
      workspace.server.requests.slice(before).every(({ body }) => body['model'] === 'refused'),
    ).toBe(true);
    expect(workspace.server.requests.length - before).toBe(10);
  });

  it('shuffles tools for each repetition by seed and shows them in the order sent', async () => {
    const services = await workspace.open(
      'order',
      Array.from({ length: 12 }, (_, index) => ({ name: `t${index}`, inputSchema: titleSchema })),
    );
    const suiteId = await addSuite(services, [['hello', null]]);
    const before = workspace.server.requests.length;
    const { rows, detail } = await workspace.run(services, suiteId, {
      repetitions: 3,
      toolOrder: 'shuffled',
      seed: 5,
      concurrency: 1,
      caseOrder: 'shuffled',
      systemPrompt: 'Choose well.',
    });
    const sent = workspace.server.requests.slice(before);
    expect(new Set(sent.map(({ toolNames }) => toolNames.join())).size).toBe(3);
    for (const [index, row] of rows.entries()) {
      const { rawRequest, names } = await detail(row.runId);
      expect(JSON.parse(rawRequest ?? '')).toEqual(sent[index]?.body);
      expect(names.map(({ wire }) => wire)).toEqual(sent[index]?.toolNames);
    }
    expect(sent[0]?.body['instructions']).toBe('Choose well.');
    const again = workspace.server.requests.length;
    await workspace.run(services, suiteId, {
      repetitions: 3,
      toolOrder: 'shuffled',
      seed: 5,
      concurrency: 1,
    });
    expect(workspace.server.requests.slice(again).map(({ toolNames }) => toolNames)).toEqual(
      sent.map(({ toolNames }) => toolNames),
    );
  });

  it('T48: assigns out-of-order answers to their cases; a replay gives the same report offline', async () => {
    const services = await workspace.open('replayed', [
      { name: 'add', inputSchema: titleSchema },
      { name: 'delete', inputSchema: titleSchema },
      { name: 'say', inputSchema: { type: 'string' } },
    ]);
    const suiteId = await addSuite(services, [
      ...Array.from({ length: 30 }, (_, index): [string, string] =>
        index % 3 === 0
          ? [`please s__delete ${index}`, 'delete']
          : [`please s__add ${index}`, 'add'],
      ),
      ['hello', null],
      ['say it', 'say'],
    ]);
    const random = createRandom(7);
    workspace.rule = (request) =>
      random() < 0.2
        ? {
            does: 'error',
            status: 503,
            type: 'overloaded_error',
            message: 'Busy.',
            headers: { 'retry-after': '0' },
          }
        : callWhatIsNamed(request);
    const recordFile = join(workspace.folder, 'recording.jsonl');
    const live = await workspace.run(services, suiteId, {
      models: [{ maxRetries: 10 }],
      concurrency: 8,
      recordFile,
    });
    // The provider can't be offered "say": its case is not put to the model, neither live nor in
    // the replay.
    expect(live.summary.counts).toMatchObject({ tp: 30, tn: 1, failed: 1 });
    const before = workspace.server.requests.length;
    const replay = () =>
      workspace.run(services, suiteId, {
        models: [{ provider: 'replay', baseUrl: null, replayFile: recordFile }],
        concurrency: 8,
      });
    const [first, second] = [await replay(), await replay()];
    expect(workspace.server.requests).toHaveLength(before);
    const report = ({ summary: { evaluationId: _, durationMs: _d, ...numbers } }: typeof live) =>
      JSON.stringify(numbers);
    expect(report(first)).toBe(report(live));
    expect(report(second)).toBe(report(first));
    const outcomes = ({ rows }: typeof live) =>
      rows.map(({ caseName, classification, failure, errorMessage }) => ({
        caseName,
        classification,
        failure,
        errorMessage,
      }));
    expect(outcomes(first)).toEqual(outcomes(live));
    const [liveRaw, replayedRaw] = [
      await live.detail(live.rows[0]?.runId ?? ''),
      await first.detail(first.rows[0]?.runId ?? ''),
    ];
    expect([replayedRaw.rawRequest, replayedRaw.rawResponse, replayedRaw.names]).toEqual([
      liveRaw.rawRequest,
      liveRaw.rawResponse,
      liveRaw.names,
    ]);
  });
});
