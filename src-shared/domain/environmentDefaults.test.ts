import { expect, it } from 'vitest';
import { environmentFor, readEnvironmentDefaults } from './environmentDefaults.ts';

it('reads the model, the numbers and the address that the environment sets', () => {
  expect(
    readEnvironmentDefaults({
      TOUCHSTONE_MODEL: 'gpt-5-mini',
      TOUCHSTONE_TIMEOUT: '60',
      TOUCHSTONE_TEMPERATURE: '0',
      TOUCHSTONE_RETRIES: '0',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    }),
  ).toEqual({
    values: {
      model: 'gpt-5-mini',
      timeout: 60,
      temperature: 0,
      maxRetries: 0,
      baseUrl: 'http://127.0.0.1:9/v1',
    },
    problems: [],
  });
});

it('takes an empty variable for one that is not set', () => {
  expect(readEnvironmentDefaults({ TOUCHSTONE_TIMEOUT: '', TOUCHSTONE_MODEL: ' ' })).toEqual({
    values: {},
    problems: [],
  });
});

it.each([
  ['TOUCHSTONE_MODEL', 'x'.repeat(101), 'with at most 100 characters'],
  ['TOUCHSTONE_TIMEOUT', '0', 'a whole number of seconds from 1 to 300'],
  ['TOUCHSTONE_TIMEOUT', '1.5', 'a whole number of seconds from 1 to 300'],
  ['TOUCHSTONE_TIMEOUT', '30s', 'a whole number of seconds from 1 to 300'],
  ['TOUCHSTONE_TEMPERATURE', '2.1', 'a number from 0 to 2'],
  ['TOUCHSTONE_TEMPERATURE', '-1', 'a number from 0 to 2'],
  ['TOUCHSTONE_RETRIES', '11', 'a whole number from 0 to 10'],
  ['OPENAI_BASE_URL', 'localhost:11434', 'a URL that begins with http:// or https://'],
  ['OPENAI_BASE_URL', 'http://me:pw@127.0.0.1/v1', 'holds no credentials'],
])('rejects %s=%s and says what it needs', (variable, text, needs) => {
  const { values, problems } = readEnvironmentDefaults({ [variable]: text });
  expect(values).toEqual({});
  expect(problems).toMatchObject([{ variable, message: expect.stringContaining(needs) }]);
  expect(problems[0]?.message).toContain('Correct or unset it.');
  expect(problems[0]?.message).not.toContain('me:pw');
});

it('gives the address of OPENAI_BASE_URL to compatible endpoints only', () => {
  const values = { timeout: 60, baseUrl: 'http://127.0.0.1:9/v1' };
  expect(environmentFor('openai-compatible', values)).toEqual(values);
  for (const provider of ['openai', 'anthropic', 'builtin'] as const)
    expect(environmentFor(provider, values)).toEqual({ timeout: 60 });
});
