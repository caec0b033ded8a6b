import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import papaparse from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const json = '{"name": "todo__add_task", "arguments": {"title": "milk"}}';
/** What an endpoint without a tool-call parser returns, by the request that gets it. */
const textCalls: Readonly<Record<string, string>> = {
  hermes: `<tool_call>\n${json}\n</tool_call>`,
  mistral: `[TOOL_CALLS] [${json}]`,
  harmony: `<|channel|>commentary to=functions.todo__add_task <|constrain|>json<|message|>{"title": "milk"}<|call|>`,
  fenced: `\`\`\`json\n${json}\n\`\`\``,
  python: '```tool_code\nadd_task(title="milk")\n```',
  action: 'Thought: I need the list.\nAction: add_task\nAction Input: {"title": "milk"}',
};
const mention = 'You could use add_task for that, but nothing is to be done here.';
const usage = { prompt_tokens: 10, completion_tokens: 64, total_tokens: 74 };
const reply = (message: object, finish: string) => ({
  does: 'http' as const,
  status: 200,
  body: JSON.stringify({
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage,
  }),
});
const cutCall = {
  id: 'c',
  type: 'function',
  function: { name: 'todo__add_task', arguments: '{"title": "mi' },
};

let folder: TemporaryFolder;
let models: FakeModelServer;
let ended: Ended;
let inJson: Ended;
const at = (name: string): string => join(folder.path, name);
const report = (name: string): string => readFileSync(at(name), 'utf8');
const asText =
  /The endpoint returned calls of todo:add_task as text \([^)]+\)\. Start it with its tool-call parser\./u;
const cutOff =
  /The reply was cut off at a limit of the endpoint \(tokens per answer, or its context\)/u;
const formats = ['html', 'md', 'csv', 'xml', 'json'];

beforeAll(async () => {
  folder = await temporaryFolder();
  models = await startFakeModelServer({
    rule: ({ query }) =>
      query === 'cut'
        ? reply({ content: null, tool_calls: [cutCall] }, 'length')
        : reply({ content: textCalls[query] ?? mention }, 'stop'),
  });
  const none = [...Object.keys(textCalls), 'mention'];
  writeFileSync(
    at('suite.json'),
    JSON.stringify({
      version: 1,
      name: 'Calls as text',
      servers: ['todo'],
      cases: [
        ...none.map((query) => ({ id: query, name: query, query, expected_calls: [] })),
        {
          id: 'cut',
          name: 'cut',
          query: 'cut',
          expected_calls: [{ server: 'todo', tool: 'add_task' }],
        },
      ],
    }),
  );
  writeFileSync(
    at('tools.json'),
    JSON.stringify({
      tools: [
        {
          server: 'todo',
          name: 'add_task',
          description: 'Adds a task.',
          input_schema: { type: 'object', properties: { title: { type: 'string' } } },
        },
      ],
    }),
  );
  const evaluate = (...more: string[]) =>
    runCommand(
      [
        ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), '--retries', '0'],
        ...['--provider', 'openai-compatible', '--model', 'fake-model', '--min', 'pass_rate=0.1'],
        ...['--base-url', `${models.origin}/v1`, ...more],
      ],
      { workspace: at('workspace') },
    );
  ended = await evaluate(...formats.flatMap((format) => ['--report', at(`report.${format}`)]));
  inJson = await evaluate('--json');
});
afterAll(async () => {
  await models[Symbol.asyncDispose]();
  await folder.remove();
});

describe('an endpoint that returns calls as text', () => {
  it('gives no verdict, and says why and what to do at the end', () => {
    expect(ended.code).toBe(3);
    // Only where its reports are follows.
    const lines = ended.stderr.trim().split('\n');
    const last = lines
      .filter((line) => !line.startsWith('Report: '))
      .slice(-4)
      .join('\n');
    expect(last).toMatch(asText);
    expect(last).toMatch(cutOff);
  });

  it('scores none of these replies, and passes one that only mentions the tool', () => {
    const { verdict, unscored } = JSON.parse(inJson.stdout) as Record<string, unknown>;
    const count = Object.keys(textCalls).length;
    expect(verdict).toMatchObject({
      passed: 1,
      failed: 0,
      scored: 1,
      outcomes: { not_scored: count + 1 },
    });
    expect(unscored).toMatchObject([
      { reason: expect.stringMatching(asText), runs: count, cases: Object.keys(textCalls) },
      { reason: expect.stringMatching(cutOff), runs: 1, cases: ['cut'] },
    ]);
    const { runs } = JSON.parse(report('report.json')) as {
      runs: { case_id: string; outcome: string; passed: boolean | null }[];
    };
    for (const run of runs)
      expect(run).toMatchObject(
        run.case_id === 'mention'
          ? { outcome: 'passed', passed: true }
          : { outcome: 'not_scored', passed: null },
      );
    expect(runs).toHaveLength(count + 2);
  });

  it.each(['html', 'md'])('is a reason with its remedy in a report as %s', (format) => {
    const text = report(`report.${format}`).replaceAll(/\\(?=[_.\-()])/gu, '');
    expect(text).toMatch(asText);
    expect(text).toMatch(cutOff);
  });

  it('is an error of each of its cases in CSV and JUnit', () => {
    const { data } = papaparse.parse<Record<string, string>>(report('report.csv'), {
      header: true,
      skipEmptyLines: true,
    });
    const count = Object.keys(textCalls).length;
    const own = /^The endpoint returned a call of todo:add_task as text .* tool-call parser\.$/u;
    expect(data.filter(({ error = '' }) => own.test(error))).toHaveLength(count);
    expect(data.filter(({ error = '' }) => cutOff.test(error))).toHaveLength(1);
    expect(data.filter(({ outcome }) => outcome === 'passed')).toHaveLength(1);
    const xml = report('report.xml');
    expect(xml).toContain(`tests="${count + 2}" failures="0" errors="${count + 1}"`);
    expect(
      xml.match(/The endpoint returned a call of todo:add_task as text/gu)?.length,
    ).toBeGreaterThanOrEqual(count);
    expect(xml).toMatch(cutOff);
  });
});
