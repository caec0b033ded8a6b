import { describe, expect, it } from 'vitest';
import { findArgumentSecrets, findSecrets } from './findSecrets.ts';

const canary = 'CANARYrem03Zq8vK2mN4xR7tB1w';
const word = 'pw-4711-x';
/** The credentials of a value, as texts. */
const inValue = (name: string, text: string): string[] =>
  findSecrets(name, text).map(({ start, end }) => text.slice(start, end));
const inArgs = (...args: string[]): string[] =>
  findArgumentSecrets(args).flatMap((found, at) =>
    found.map(({ start, end }) => args[at]?.slice(start, end) ?? ''),
  );

describe('findSecrets', () => {
  it.each([
    ...['exaApiKey', 'tavilyApiKey', 'profileKey', 'accessToken', 'clientSecret', 'apikey'],
    ...['API_KEY', 'api-key', 'api.key', 'X-API-Key', 'x-goog-api-key', 'APIKey2', 'token'],
    ...['JIRA_PAT', 'GITHUB_PERSONAL_ACCESS_TOKEN', 'DB_PASS', 'MYSQL_PWD', 'PGPASSWORD'],
    ...['AZURE_CONNECTION_STRING', 'authorization', 'Proxy-Authorization', 'Cookie', 'X-Auth'],
    ...['SLACK_SIGNING_SECRET', 'sig', 'SESSION_COOKIE', 'privateKey', 'mybottoken', 'AUTH_JWT'],
    ...['SENTRY_DSN', 'basicAuth', 'user_credentials', 'sharedAccessKey', 'OTP'],
  ])('finds the whole value of %s', (name) => {
    expect(inValue(name, word)).toEqual([word]);
  });

  it.each([
    ['AUTH_MODE', 'oauth'],
    ['TOKEN_LIMIT', '4096'],
    ['MAX_TOKENS', '4096'],
    ['KEY_FILE', '/etc/keys/a.pem'],
    ['env_keys', 'GITHUB_PERSONAL_ACCESS_TOKEN'],
    ['bearer_token_env_var', 'GITHUB_TOKEN'],
    ['KEYBOARD', 'us'],
    ['AUTHOR', 'someone'],
    ['PASSIVE', 'on'],
    ['api_key_header', 'X-API-Key'],
    ['token_url', 'https://x.example/token'],
    ['API_KEY', '${API_KEY}'],
    ['Authorization', 'Bearer ${input:token}'],
    ['Authorization', 'Bearer {{PAT}}'],
    ['auth_value', 'os.environ/TOKEN'],
    ['KEY', '${config:some.key}'],
    ['KEY', '{env:MY_KEY}'],
    ['API_KEY', '<your key>'],
    ['API_KEY', 'YOUR_API_KEY'],
    ['API_KEY', ''],
    ['MODEL', 'claude-3-5-sonnet-20241022'],
    ['MODEL', 'meta-llama/Llama-3.1-8B-Instruct'],
    ['IMAGE', `ghcr.io/github/server@sha256:${'0a1b2c3d'.repeat(8)}`],
    ['PACKAGE', '@modelcontextprotocol/server-filesystem@2026.8.31'],
    ['FOLDER', '/home/me/projects/2026-11-26/touchstone-workspace'],
    ['URL', 'https://mcp.example.com/v2/mcp?version=2025-06-18&format=json'],
    ['PATH', '/usr/local/bin:/usr/bin:/bin'],
    ['DATE', '2026-11-26T01:02:03.456Z'],
    ['TEXT', 'Reads a key from the keyboard and a token from the model.'],
    ['HOSTS', 'localhost:8080,127.0.0.1:9000'],
  ])('finds nothing in %s=%s', (name, value) => {
    expect(inValue(name, value)).toEqual([]);
  });

  it.each([
    `sk-proj-${canary}`,
    `ghp_${'a'.repeat(20)}`,
    `github_pat_${'b'.repeat(20)}`,
    `xoxb-12345678-${'c'.repeat(8)}`,
    `AKIA${'ABCD1234'.repeat(2)}`,
    'tvly-dev-CANARYtav02abcdefghijkl',
    'fc-CANARYfir09abcdef0123456789',
    'ntn_CANARYnot0612345678901234567890123456789012',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc',
    '4f1c9a7e-2b6d-4c83-9e51-8d7c6b5a4f3e',
    'd41d8cd98f00b204e9800998ecf8427e',
    'q8Zt1wPLr0VbX3nKd7YhMcE5aSgUfJ2o',
    'dGhpcyBpcyBhIHNlY3JldCB2YWx1ZQ==',
  ])('recognizes %s by its form', (value) => {
    expect(inValue('OPTION', value)).toEqual([value]);
    expect(inValue('OPTION', `a ${value} b`)).toEqual([value]);
    expect(inArgs('--option', value)).toEqual([value]);
    expect(inValue('OPTION', JSON.stringify({ deep: [{ any: value }] }))).toEqual([value]);
    expect(inValue('OPTION', `https://x.example/a/${value}/mcp`)).toEqual([value]);
  });

  it.each([
    [`https://x.example/mcp?exaApiKey=${word}`, word],
    [`https://x.example/mcp?a=1&access_token=${word}#x`, word],
    [`https://x.example/mcp#token=${word}`, word],
    [`https://me:${word}@x.example/mcp`, word],
    [`postgres://me:${word}@db/x`, word],
    [`mongodb+srv://me:${word}@a.example/?retryWrites=true`, word],
    [`Server=db;User Id=sa;Password=${word};Encrypt=true`, word],
    [`DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${canary}==;Suffix=x`, `${canary}==`],
    [`host=localhost user=me password=${word} dbname=x`, word],
    [`Authorization: Bearer ${canary}`, canary],
    [`X-API-Key:${word}`, word],
    [`X-API-Key: ${word}`, word],
    [`{"Authorization": "Bearer ${word}", "Notion-Version": "2022-06-28"}`, word],
    [`run --api-key ${word} --verbose`, word],
    [`run --api-key=${word} --verbose`, word],
    [`TOKEN=${word} node server.js`, word],
  ])('looks into %s', (text, credential) => {
    expect(inValue('OPTION', text)).toEqual([credential]);
    expect(inArgs(text)).toEqual([credential]);
  });

  it.each([
    [['--header', `Authorization: Bearer ${word}`], word],
    [['--header', `X-API-Key:${word}`], word],
    [['-H', `X-Api-Key: ${word}`], word],
    [[`--header=Authorization: Bearer ${word}`], word],
    [['-e', `GRAFANA_API_KEY=${word}`], word],
    [['--env', `GRAFANA_API_KEY=${word}`], word],
    [[`--env=GRAFANA_API_KEY=${word}`], word],
    [[`-eGRAFANA_API_KEY=${word}`], word],
    [[`GRAFANA_API_KEY=${word}`], word],
    [['--token', word], word],
    [[`--token=${word}`], word],
    [['--apiKey', word], word],
    [['-u', `me:${word}`], word],
    [['--config', `{"key":"${word}"}`], word],
    [['sh', '-c', `TOKEN=${word} exec server`], word],
  ])('reads the arguments %j', (args, credential) => {
    expect(inArgs(...args)).toEqual([credential]);
  });

  it('leaves what options describe', () => {
    expect(inArgs('--token', '--verbose')).toEqual([]);
    expect(inArgs('-y', '@scope/server-with-a-long-name@latest', '--port', '8080')).toEqual([]);
    expect(
      inArgs('run', '-i', '--rm', '-e', 'GITHUB_TOKEN', 'ghcr.io/github/server:v1.2.3'),
    ).toEqual([]);
    expect(inArgs('--key-file', '/etc/x.pem', '--model', 'gpt-4o-mini-2024-07-18')).toEqual([]);
  });

  it('takes time in proportion to the length of a hostile text', () => {
    for (const piece of ['a=', '://', 'A1b2', '{"a":', 'key: ', '--x ', '"', '\n', 'x.y@'])
      expect(inValue('OPTION', piece.repeat(16_000)).length).toBeGreaterThanOrEqual(0);
  });
});
