import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import type { CaseFile } from '../../../../src-shared/domain/suiteFile.ts';
import { exchangeFormats } from './formats.ts';
import { roundTrips, roundTripTable } from './roundTrip.fixture.ts';

test('no format changes a part of a case without saying so', () => {
  expect(roundTrips().filter(({ outcomes }) => outcomes.includes('changed unsaid'))).toEqual([]);
});

test('the table in the docs is what exports and imports do', async () => {
  const page = await readFile(new URL('../../../../docs/formats.md', import.meta.url), 'utf8');
  expect(page).toContain(roundTripTable());
});

const text = { type: 'string' };
const object = { type: 'object' };
const call = (name: string, given: string) => ({
  type: 'object',
  properties: { [name]: text, [given]: object },
  required: [name],
  additionalProperties: false,
});
const messages = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    properties: { role: { enum: ['system', 'user', 'assistant', 'tool'] }, content: text },
    required: ['role', 'content'],
  },
};

/** The files that the programs load, as their documentation describes them. */
const schemas = {
  // https://deepeval.com/docs/evaluation-datasets: fields of a golden, and of a tool call
  deepeval: {
    type: 'object',
    properties: {
      input: text,
      name: text,
      expected_tools: { type: 'array', items: call('name', 'input_parameters') },
    },
    required: ['input'],
    additionalProperties: false,
  },
  // https://inspect.aisi.org.uk/reference/inspect_ai.dataset.html: fields of a sample
  inspect: {
    type: 'object',
    properties: {
      id: { type: ['string', 'integer'] },
      input: { anyOf: [text, messages] },
      target: { anyOf: [text, { type: 'array', items: text }] },
      metadata: object,
    },
    required: ['input'],
    additionalProperties: false,
  },
  // https://google.github.io/adk-docs/evaluate/: EvalCase
  adk: {
    type: 'object',
    properties: {
      eval_id: text,
      conversation: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            invocation_id: text,
            user_content: {
              type: 'object',
              properties: { role: text, parts: { type: 'array', items: object } },
              required: ['parts'],
            },
            intermediate_data: {
              type: 'object',
              properties: {
                tool_uses: { type: 'array', items: call('name', 'args') },
                intermediate_responses: { type: 'array' },
              },
              additionalProperties: false,
            },
          },
          required: ['user_content'],
          additionalProperties: false,
        },
      },
      session_input: object,
    },
    required: ['eval_id', 'conversation'],
    additionalProperties: false,
  },
} as const;

const suite: CaseFile = {
  version: 1,
  name: 'books',
  servers: ['shelf'],
  system: 'You lend books.',
  cases: [
    {
      id: 'dune',
      name: 'Dune',
      query: 'Is Dune there?',
      tags: ['find'],
      expected_calls: [{ server: 'shelf', tool: 'find_book', parameters: { title: 'Dune' } }],
      messages: [{ role: 'user', content: 'Hello' }],
      note: 'A note.',
    },
    { id: 'hi', name: 'Hi', query: 'Hi', expected_calls: [] },
  ],
};

test.each(Object.keys(schemas) as (keyof typeof schemas)[])(
  'writes %s as its program loads it',
  (format) => {
    const { text: written } = exchangeFormats[format].write(suite);
    const records: unknown =
      format === 'inspect'
        ? written
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown)
        : JSON.parse(written);
    const list = format === 'adk' ? (records as { eval_cases: unknown[] }).eval_cases : records;
    const validate = new Ajv().compile({ type: 'array', minItems: 2, items: schemas[format] });
    expect(validate(list), JSON.stringify(validate.errors)).toBe(true);
  },
);
