import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { createTestWorkshop, nodeTool, toolOf } from '../../testing/workshop.ts';
import { createAndExecute, waitingScript } from './executions.fixture.ts';

afterEach(expectNoLeaks);

describe('T58: script output', () => {
  it.each([
    ['an exit code', `process.exit(1)`, 'FAILED', 'exit_code', /code 1/],
    ['a signal', `process.kill(process.pid, 'SIGKILL')`, 'FAILED', 'signal', /SIGKILL/],
    ['invalid JSON', `console.log('{"a":')`, 'FAILED', 'not_json', /not JSON/],
    ['two values', `console.log('1 2')`, 'FAILED', 'not_json', /not JSON/],
    ['empty output', ``, 'FAILED', 'not_json', /wrote nothing/],
    [
      'bad UTF-8',
      `process.stdout.write(Buffer.from([0x22, 0xff, 0x22]))`,
      'FAILED',
      'not_text',
      /UTF-8/,
    ],
    [
      'binary output',
      `process.stdout.write(require('node:crypto').randomBytes(5000))`,
      'FAILED',
      'not_text',
      /UTF-8/,
    ],
    [
      'a line that never ends',
      `const more = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', more); }; more()`,
      'FAILED',
      'too_much_output',
      /more than 1024 kB/,
    ],
    ['an endless wait', `setInterval(() => {}, 1000)`, 'TIMEOUT', 'timeout', /timed out after 1 s/],
  ] as const)(
    '%s fails with its own error code',
    async (_what, script, status, errorCode, message) => {
      await using at = createTestWorkshop();
      const done = await createAndExecute(
        at,
        nodeTool(script, {
          executorConfig: {
            command: process.execPath,
            args: ['-e', script],
            output: 'json',
            timeout: errorCode === 'timeout' ? 1 : 30,
          },
        }),
      );
      expect(done).toMatchObject({ status, errorCode, outputData: null });
      expect(done.errorMessage).toMatch(message);
      if (errorCode === 'too_much_output')
        expect(done.outputExcerpt).toContain('[cut: more than 1024 kB were written]');
      // The next one runs.
      expect(
        await createAndExecute(at, nodeTool('console.log(7)', { name: 'next' })),
      ).toMatchObject({
        status: 'SUCCESS',
        outputData: 7,
      });
    },
  );

  it.runIf(process.platform === 'linux')(
    'T68: a script that exceeds the memory limit fails with the limit and the next step',
    async () => {
      await using at = createTestWorkshop();
      expect(await at.workshop.limits()).toEqual({ memory: true });
      await at.workshop.updateSettings({ memoryMb: 300 });
      const grow = `const kept = []; for (let n = 0; n < 60; n += 1) kept.push(Buffer.alloc(1e7, 1)); console.log(kept.length)`;
      expect(await createAndExecute(at, nodeTool(grow))).toMatchObject({
        status: 'FAILED',
        errorCode: 'out_of_memory',
        errorMessage:
          'It ran out of memory: each process of a script may use 300 MB. Raise the memory ' +
          "limit in the workshop's settings if it needs more.",
      });
      await at.workshop.updateSettings({ memoryMb: 0 });
      expect(await createAndExecute(at, nodeTool(grow, { name: 'unlimited' }))).toMatchObject({
        status: 'SUCCESS',
        outputData: 60,
      });
    },
  );

  it('T56: the default timeout is 30 s', async () => {
    await using at = createTestWorkshop();
    await using folder = await temporaryFolder();
    const up = join(folder.path, 'up');
    const args = ['-e', `process.on('SIGTERM', () => {}); ${waitingScript}`];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const running = createAndExecute(
        at,
        nodeTool('', { executorConfig: { command: process.execPath, args, env: { UP: up } } }),
      );
      while (!existsSync(up)) await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(29_999);
      const timersBefore = vi.getTimerCount();
      await vi.advanceTimersByTimeAsync(1);
      expect(vi.getTimerCount()).toBe(timersBefore - 1);
      // From here on time passes by itself: the program ignores the first signal.
      vi.setTimerTickMode('interval', 10);
      const done = await running;
      expect(done).toMatchObject({
        status: 'TIMEOUT',
        errorCode: 'timeout',
        errorMessage: 'It timed out after 30 s and was stopped.',
      });
      expect(done.durationMs).toBeGreaterThanOrEqual(30_000);
      expect(done.durationMs).toBeLessThan(33_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it('rejects an output that breaks the output schema', async () => {
    await using at = createTestWorkshop();
    const content = nodeTool(`console.log('{"words":"three"}')`, {
      outputSchema: { type: 'object', properties: { words: { type: 'integer' } } },
    });
    expect(await createAndExecute(at, content)).toMatchObject({
      status: 'FAILED',
      errorCode: 'output',
      errorMessage: "The output doesn't match the output schema: /words must be integer.",
      outputExcerpt: '{"words":"three"}',
    });
  });

  it('reports a missing program as not started', async () => {
    await using at = createTestWorkshop();
    expect(
      await createAndExecute(
        at,
        toolOf({ scriptContent: null, executorConfig: { command: 'no-such-program-here' } }),
      ),
    ).toMatchObject({
      status: 'FAILED',
      errorCode: 'not_started',
      errorMessage: expect.stringContaining('no-such-program-here') as string,
    });
  });
});
