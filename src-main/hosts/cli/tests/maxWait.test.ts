import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runCommand } from '../../../testing/commandLine.ts';
import { startFakeModelServer } from '../../../testing/fakeModelServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder.remove());

it('a model is stopped at a wait over --max-wait, and over max_wait of touchstone.yaml', async () => {
  await using limited = await startFakeModelServer({
    rule: () => ({
      does: 'error',
      status: 429,
      type: 'rate_limit_error',
      message: 'Slow down.',
      headers: { 'retry-after': '2' },
    }),
  });
  const file = (name: string, content: object): Promise<void> =>
    writeFile(join(folder.path, name), JSON.stringify(content));
  const expected_calls = [{ server: 's', tool: 'ping' }];
  await file('suite.json', {
    version: 1,
    name: 'waits',
    servers: ['s'],
    cases: ['a', 'b'].map((id) => ({ id, name: id, query: 'ping', expected_calls })),
  });
  await file('tools.json', { tools: [{ server: 's', name: 'ping', input_schema: {} }] });
  const model = { provider: 'openai-compatible', model: 'm', base_url: `${limited.origin}/v1` };
  await writeFile(
    join(folder.path, 'touchstone.yaml'),
    stringify({
      version: 1,
      suite: 'suite.json',
      tools: 'tools.json',
      models: [{ ...model, max_wait: 1 }],
    }),
  );
  const run = (command: string[], options: string[]) =>
    runCommand([...command, '--concurrency', '1', ...options], {
      workspace: join(folder.path, 'workspace'),
    });
  const evaluate = (maxWait: string) =>
    run(
      ['eval', '--suite', join(folder.path, 'suite.json')],
      [
        ...['--tools', join(folder.path, 'tools.json'), '--provider', model.provider],
        ...['--model', 'm', '--base-url', model.base_url, '--max-wait', maxWait],
      ],
    );
  const byFile = await run(['check', '--config', join(folder.path, 'touchstone.yaml')], []);
  const byOption = await evaluate('1');
  expect(limited.requests).toHaveLength(2);
  for (const { code, stderr, stdout } of [byFile, byOption]) {
    expect(code, stderr).toBe(3);
    expect(`${stderr}${stdout}`).toMatch(/It asks to wait until .*longer than the 1 s/);
  }
  const refused = await evaluate('-1');
  expect(refused.code, refused.stderr).toBe(2);
  expect(refused.stderr).toMatch(/maxWait|max-wait/);
});
