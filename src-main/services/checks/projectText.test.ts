import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { expect, it } from 'vitest';
import { projectSchemaText, readProjectText } from './projectText.ts';

const published = readFileSync(
  new URL('../../../datasets/touchstone.schema.json', import.meta.url),
  'utf8',
);

it('datasets/touchstone.schema.json is the schema in the code (scripts/writeProjectSchema.ts)', () => {
  expect(published).toBe(projectSchemaText());
});

const good = `version: 1
suite: suite.yaml
tools: tools.json
models:
  - { provider: anthropic, model: one, temperature: 0, retries: 1 }
  - { provider: openai-compatible, model: two, base_url: 'http://127.0.0.1:1/v1' }
repetitions: 3
thresholds: { min: { pass_rate.low: 0.5 }, max: { cost_usd: 1 } }
baseline: { report: main.json, tolerance: { selection_f1: 0.02 }, max_broken: 0 }
budget: { cost_usd: 2 }
prices: [{ provider: openai-compatible, model: two, input_usd: 1, output_usd: 2 }]
reports: [report.xml, github]
`;

it('accepts and rejects the same files as the published schema', () => {
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(published) as object);
  expect(readProjectText(good).problems).toEqual([]);
  expect(validate(parse(good))).toBe(true);
  for (const [bad, line, column, message] of [
    [good.replace('version: 1', 'version: 2'), 1, 10, 'Version 2'],
    [good.replace('suite: suite.yaml\n', ''), 1, 1, '"suite" is required'],
    [good.replace('temperature: 0', 'temperature: 9'), 5, 53, ''],
    [good.replace('temperature', 'warmth'), 5, 40, 'no field "warmth"'],
    [good.replace('pass_rate.low', 'cost_usd.low'), 8, 22, 'cost_usd.low'],
    [good.replace('retries: 1', 'retries: many'), 5, 65, 'number'],
  ] as const) {
    const { file, problems } = readProjectText(bad);
    expect(file).toBeNull();
    expect(problems[0]).toMatchObject({ line, column });
    expect(problems[0]?.message).toContain(message);
    expect(validate(parse(bad)), message).toBe(false);
  }
});

it('reports broken YAML with its place', () => {
  expect(readProjectText('version: 1\nsuite: [\n').problems[0]).toMatchObject({
    line: expect.any(Number) as number,
  });
});
