import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { isFinal } from '../../../src-shared/domain/toolExecution.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { isNightly } from '../../testing/nightly.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { createTestWorkshop, nodeTool, noSignal, toolOf } from '../../testing/workshop.ts';
import { createTool, executeTool, createAndExecute, waitingScript } from './executions.fixture.ts';

afterEach(expectNoLeaks);

describe('T59: arguments and cancellation', () => {
  it.skipIf(process.platform === 'win32')(
    'passes arguments that look like commands as plain text',
    async () => {
      await using at = createTestWorkshop();
      await using folder = await temporaryFolder();
      const trap = join(folder.path, 'made');
      const id = await createTool(
        at,
        toolOf({
          scriptContent: 'printf "%s|" "$#" "$1" "$2"',
          inputSchema: { type: 'object', properties: { text: {}, more: {} } },
          executorConfig: { args: ['{{text}}', 'x{{more}}'], output: 'text' },
        }),
      );
      for (const text of [
        `$(touch ${trap})`,
        `; touch ${trap}`,
        `\`touch ${trap}\``,
        `a\ntouch ${trap}`,
        '--flag',
        '-e',
        `"; touch ${trap}; "`,
        '{{more}}',
        '${secret:x}',
        '',
      ]) {
        expect(await executeTool(at, id, { text, more: text })).toMatchObject({
          status: 'SUCCESS',
          outputData: `2|${text}|x${text}|`,
        });
      }
      expect(await executeTool(at, id, { text: 'a\0b', more: '' })).toMatchObject({
        status: 'FAILED',
        errorCode: 'template',
        errorMessage: expect.stringContaining('NUL') as string,
      });
      expect(existsSync(trap)).toBe(false);
    },
  );

  it('refuses a value that the program would read as an option', async () => {
    await using at = createTestWorkshop();
    const show = (args: string[], name: string) =>
      toolOf({
        name,
        scriptContent: null,
        inputSchema: { type: 'object', properties: { text: {} } },
        executorConfig: {
          command: process.execPath,
          args: ['-p', 'JSON.stringify(process.argv.slice(1))', ...args],
          output: 'json',
        },
      });
    expect(
      await createAndExecute(at, show(['{{text}}'], 'bare'), { text: '--version' }),
    ).toMatchObject({
      status: 'FAILED',
      errorCode: 'template',
      errorMessage: expect.stringContaining('option') as string,
    });
    expect(
      await createAndExecute(at, show(['--', '{{text}}'], 'after_dashes'), { text: '--version' }),
    ).toMatchObject({ status: 'SUCCESS', outputData: ['--version'] });
    expect(await createAndExecute(at, show(['--', '{{text}}'], 'left_out'))).toMatchObject({
      status: 'SUCCESS',
      outputData: [],
    });
  });

  it('gives each of many randomly cancelled executions one final status and no leftover process', async () => {
    const executions = isNightly ? 100 : 25;
    await using at = createTestWorkshop();
    await at.workshop.updateSettings({ concurrency: 8 }, noSignal);
    const id = await createTool(at, nodeTool('setTimeout(() => console.log(1), 60)'));
    // A moment is when so many others have ended: from before the first one runs to after most of
    // them have. Every third one is left to its own end.
    const moments = fc
      .sample(fc.integer({ min: 0, max: executions - 10 }), { numRuns: executions, seed: 7 })
      .map((moment, index) => (index % 3 === 0 ? Number.POSITIVE_INFINITY : moment));
    let ends = 0;
    const waiting = new Set<() => void>();
    const whenEnded = async (count: number): Promise<void> => {
      while (ends < count) await new Promise<void>((resolve) => waiting.add(resolve));
    };
    const ended = await Promise.all(
      moments.map(async (moment) => {
        const started = await at.workshop.start(
          { tool: id, arguments: {}, activeOnly: false },
          noSignal,
        );
        const last = at.workshop.wait({ id: started.id }, noSignal).finally(() => {
          ends += 1;
          for (const wake of waiting) wake();
          waiting.clear();
        });
        await Promise.race([whenEnded(moment), last]);
        const [first, second, waited] = await Promise.all([
          at.workshop.cancel({ id: started.id }, noSignal),
          at.workshop.cancel({ id: started.id }, noSignal),
          last,
        ]);
        expect([second, waited]).toEqual([first, first]);
        return first;
      }),
    );
    for (const { status } of ended) expect(['SUCCESS', 'CANCELLED']).toContain(status);
    for (const status of ['SUCCESS', 'CANCELLED'])
      expect(ended.some((one) => one.status === status)).toBe(true);
    const { rows, total } = await at.workshop.executions(
      { filter: {}, offset: 0, limit: 500 },
      noSignal,
    );
    expect(total).toBe(executions);
    expect(rows.every(({ status }) => isFinal(status))).toBe(true);
  });

  it('stops the program when the caller aborts or the app quits, and records the status', async () => {
    await using folder = await temporaryFolder();
    const at = createTestWorkshop();
    const up = (name: string) => join(folder.path, name);
    const content = (name: string) =>
      nodeTool(waitingScript, {
        name,
        executorConfig: {
          command: process.execPath,
          args: ['-e', waitingScript],
          output: 'json',
          env: { UP: up(name) },
        },
      });
    const isUp = async (name: string): Promise<void> => {
      while (!existsSync(up(name))) await new Promise((resolve) => setImmediate(resolve));
    };
    const controller = new AbortController();
    await createTool(at, content('given_up'));
    const given = at.workshop.execute(
      { tool: 'given_up', arguments: {}, activeOnly: false },
      { signal: controller.signal },
    );
    await isUp('given_up');
    controller.abort();
    expect(await given).toMatchObject({ status: 'CANCELLED', errorCode: 'cancelled' });

    await createTool(at, content('at_quit'));
    const quit = await at.workshop.start(
      { tool: 'at_quit', arguments: {}, activeOnly: false },
      noSignal,
    );
    await isUp('at_quit');
    await at.close();
    expect(at.database.store.toolExecutions.get(quit.id)).toMatchObject({ status: 'CANCELLED' });
    await expect(
      at.workshop.start({ tool: 'at_quit', arguments: {}, activeOnly: false }, noSignal),
    ).rejects.toMatchObject({ code: 'TROUBLE' });
    at.database.close();
  });

  it('runs 30 invocations with at most 4 at a time', async () => {
    await using at = createTestWorkshop();
    await using folder = await temporaryFolder();
    await at.workshop.updateSettings({ concurrency: 4 }, noSignal);
    const diary = join(folder.path, 'diary');
    // Lines that are added whole: who came and who went, in the order in which it happened.
    const script = `const { appendFileSync } = require('node:fs'); const write = (line) => appendFileSync(process.env.DIARY, line + '\\n'); write('in'); process.on('exit', () => write('out')); process.stdin.resume().on('end', () => console.log(1));`;
    const id = await createTool(
      at,
      nodeTool(script, {
        executorConfig: {
          command: process.execPath,
          args: ['-e', script],
          output: 'json',
          env: { DIARY: diary },
        },
      }),
    );
    const all = await Promise.all(Array.from({ length: 30 }, () => executeTool(at, id)));
    expect(all.map(({ status }) => status)).toEqual(new Array(30).fill('SUCCESS'));
    const lines = readFileSync(diary, 'utf8').trimEnd().split('\n');
    expect([lines.filter((line) => line === 'in').length, lines.length]).toEqual([30, 60]);
    let [inside, most] = [0, 0];
    for (const line of lines) most = Math.max(most, (inside += line === 'in' ? 1 : -1));
    expect(most).toBeLessThanOrEqual(4);
  });
});
