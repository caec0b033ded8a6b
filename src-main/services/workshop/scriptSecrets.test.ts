import { afterEach, describe, expect, it } from 'vitest';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { createTestWorkshop, nodeTool } from '../../testing/workshop.ts';
import { createAndExecute } from './executions.fixture.ts';

afterEach(expectNoLeaks);

describe('secrets', () => {
  it('T60: redacts a secret that the tool echoes, and fails when a secret has no value', async () => {
    const secret = 'canary-secret-42';
    await using at = createTestWorkshop({ secrets: { api: secret } });
    const script = `console.error(process.env.KEY); console.log(JSON.stringify({ key: process.env.KEY, encoded: encodeURIComponent(process.env.KEY) }))`;
    const content = (name: string, env: Record<string, string>) =>
      nodeTool(script, {
        name,
        executorConfig: { command: process.execPath, args: ['-e', script], output: 'json', env },
      });
    const done = await createAndExecute(at, content('echoes', { KEY: '${secret:api}' }));
    expect(done).toMatchObject({
      status: 'SUCCESS',
      outputData: { key: '[redacted]', encoded: '[redacted]' },
      stderrTail: '[redacted]',
    });
    expect(at.database.db.serialize().includes(secret)).toBe(false);
    expect(await createAndExecute(at, content('unknown', { KEY: '${secret:nope}' }))).toMatchObject(
      {
        status: 'FAILED',
        errorCode: 'secret',
        errorMessage: expect.stringContaining('TOUCHSTONE_SECRET_NOPE') as string,
      },
    );
  });
});
