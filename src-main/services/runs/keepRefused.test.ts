import { expect, it } from 'vitest';
import { evaluationRequest } from '../../../src-shared/domain/evaluation.ts';
import type { Reaction } from '../../testing/fakeModelServer/react.ts';
import {
  addSuite,
  callOptions,
  correctQueries,
  createModelWorkspace,
} from '../../testing/modelWorkspace.ts';

const workspace = createModelWorkspace();
const error = (status: number, message: string): Reaction => ({
  does: 'error',
  status,
  type: 'invalid_request_error',
  message,
});

it('a resume goes on with what was refused before, and a repeat asks anew', async () => {
  const services = await workspace.open('refused');
  const suite = await addSuite(services, correctQueries(3));
  let failing = true;
  let isStrict = true;
  const asked: boolean[] = [];
  workspace.rule = ({ body, toolNames, query }) => {
    asked.push('temperature' in body);
    if (isStrict && 'temperature' in body) return error(400, "Unknown parameter: 'temperature'.");
    if (failing && asked.length > 3) return error(500, 'down');
    const name = toolNames.find((each) => query.includes(each.slice(3)));
    return { does: 'answer', calls: name === undefined ? [] : [{ name, arguments: {} }] };
  };
  const first = await workspace.run(services, suite, {
    concurrency: 1,
    models: [{ provider: 'openai-compatible' }],
  });
  expect(first.summary.counts.failed).toBeGreaterThan(0);
  expect(asked.filter(Boolean)).toHaveLength(1);
  const refused = [{ setting: 'temperature', instead: null, said: expect.any(String) as string }];
  expect(first.evaluation.models[0]).toMatchObject({ refused, sent: { temperature: null } });
  failing = false;
  asked.length = 0;
  await services.evaluations.resume({ id: first.id });
  for await (const _ of services.evaluations.watch({ id: first.id, afterSeq: 0 }, callOptions));
  expect(asked).not.toContain(true);
  expect(asked.length).toBeGreaterThan(0);
  const resumed = await services.evaluations.get({ id: first.id });
  expect([resumed.state, resumed.models[0]?.refused]).toEqual(['completed', refused]);
  // Another evaluation finds out by itself: the endpoint may take it by now.
  isStrict = false;
  const [row] = first.rows;
  const again = await services.evaluations.rerunCase({ id: first.id, runId: row?.runId ?? '' });
  for await (const _ of services.evaluations.watch({ id: again.id, afterSeq: 0 }, callOptions));
  expect(asked.at(-1)).toBe(true);
  const repeated = await services.evaluations.get({ id: again.id });
  expect(repeated.models[0]).not.toHaveProperty('refused');
  expect(repeated.models[0]?.sent).toMatchObject({ temperature: 0.4 });
});

it('settings of one’s own are stored, repeated and read back as they were', async () => {
  const services = await workspace.open('own');
  const suite = await addSuite(services, correctQueries(1));
  const own = {
    temperature: null,
    headers: { 'x-tier': 'fast' },
    query: { v: '2' },
    body: { top_p: 0.5, chat_template_kwargs: { enable_thinking: false } },
    stream: true,
  };
  const { id, evaluation, rows } = await workspace.run(services, suite, {
    models: [{ provider: 'openai-compatible', ...own }],
  });
  expect(evaluation.models[0]).toMatchObject(own);
  const repeated = await services.evaluations.rerunCase({ id, runId: rows[0]?.runId ?? '' });
  for await (const _ of services.evaluations.watch({ id: repeated.id, afterSeq: 0 }, callOptions));
  const { headers, search, body } = workspace.server.requests.at(-1)!;
  expect([headers['x-tier'], search, body]).toEqual([
    'fast',
    '?v=2',
    expect.objectContaining({ ...own.body, stream: true }),
  ]);
  expect(body).not.toHaveProperty('temperature');
  // Equal settings are one row.
  expect((await services.evaluations.get({ id: repeated.id })).models[0]?.id).toBe(
    evaluation.models[0]?.id,
  );
  const settings = evaluationRequest.shape.models.parse(evaluation.settings.models);
  expect(settings[0]).toMatchObject(own);
});
