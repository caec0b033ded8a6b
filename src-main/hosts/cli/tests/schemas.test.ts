import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

/** Adds the numbers of the request; in "wrong" ones, the first is a text. */
const program = `
let text = '';
process.stdin.on('data', (part) => (text += part)).on('end', () => {
  const { messages, tools } = JSON.parse(text);
  const query = String(JSON.stringify(messages.at(-1)));
  const args = { a: query.includes('wrong') ? 'one' : 1, b: 2 };
  const call = { id: '1', type: 'function', function: { name: tools[0].function.name, arguments: JSON.stringify(args) } };
  const calls = query.includes('idle') ? {} : { tool_calls: [call] };
  console.log(JSON.stringify({ choices: [{ finish_reason: 'stop', message: { content: 'Done.', ...calls } }] }));
});`;

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder.path, 'model.mjs'), program);
});
afterAll(() => folder.remove());

const numbers: JsonObject = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
};

async function evaluate(name: string, schema: JsonObject, queries: string[], more: string[] = []) {
  const at = (file: string): string => join(folder.path, `${name}.${file}`);
  await writeFile(
    at('tools.json'),
    JSON.stringify({
      tools: [{ server: 'tools', name: 'add', description: 'Adds.', input_schema: schema }],
    }),
  );
  const cases = queries.map((query, index) => ({
    id: `c${index}`,
    name: query,
    query,
    expected_calls: [{ server: 'tools', tool: 'add', parameters: { a: 1, b: 2 } }],
  }));
  await writeFile(
    at('suite.json'),
    JSON.stringify({ version: 1, name, servers: ['tools'], cases }),
  );
  const done = await runCommand(
    [
      ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json')],
      ...['--provider', 'command', '--model', 'm', '--json', '--report', at('report.json')],
      ...['--report', at('report.xml'), '--command'],
      `"${process.execPath}" "${join(folder.path, 'model.mjs')}"`,
      ...more,
    ],
    { workspace: join(folder.path, name) },
  );
  return { ...done, at };
}

describe('schemas of tools in an evaluation', () => {
  const ten = [...Array.from({ length: 8 }, (_, at) => `Add ${at}`), 'Add wrong 8', 'Add wrong 9'];

  it('gives the same ten answers 80% in every dialect, with a description that is null', async () => {
    const rates: unknown[] = [];
    for (const [name, dialect] of Object.entries({
      seven: 'http://json-schema.org/draft-07/schema#',
      nineteen: 'https://json-schema.org/draft/2019-09/schema#',
    })) {
      const schema = { $schema: dialect, ...numbers, description: null };
      const { stdout, code } = await evaluate(name, schema, ten);
      const { verdict } = JSON.parse(stdout) as { verdict: Record<string, unknown> };
      rates.push([code, verdict['passed'], verdict['scored']]);
    }
    expect(rates).toEqual([
      [0, 8, 10],
      [0, 8, 10],
    ]);
  });

  it('has no verdict where a schema decides nothing, names the tool, and scores no run of it', async () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 150; level += 1) deep = { properties: { deeper: deep } };
    const schema = { ...numbers, properties: { a: {}, b: deep } };
    const queries = ['Add', 'Add wrong', 'Add idle'];
    const { stdout, stderr, code, at } = await evaluate('deep', schema, queries, [
      '--min',
      'accuracy=0.1',
    ]);
    const reason =
      "The input schema of tools:add can't decide these arguments. It is nested deeper than 256 levels at /properties/b.";
    expect(code, stderr).toBe(3);
    expect(stderr).toContain(reason);
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: { passed: 0, failed: 0, scored: 0, outcomes: { not_scored: 3 } },
      unscored: [{ failure: 'schema', reason, runs: 3, cases: ['c0', 'c1', 'c2'] }],
      check: { result: 'incomplete', unscored_runs: 3 },
    });
    const report = await readFile(at('report.json'), 'utf8');
    expect(JSON.parse(report)).toMatchObject({
      runs: [
        { classification: 'TP', passed: null, outcome: 'not_scored', error: reason },
        { classification: 'TP', passed: null, outcome: 'not_scored', error: reason },
        { classification: 'FN', passed: null, outcome: 'not_scored', error: reason },
      ],
    });
    expect(await readFile(at('report.xml'), 'utf8')).toContain('errors="3"');
    const verified = await runCommand(['verify', at('report.json')], {
      workspace: folder.path,
    });
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    const gate = ['gate', at('report.json'), '--min', 'accuracy=0.1'];
    expect((await runCommand(gate, { workspace: folder.path })).code).toBe(3);
    expect(
      (await runCommand([...gate, '--allow-failed', '3'], { workspace: folder.path })).code,
    ).toBe(0);
  });
});
