import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ToolContent } from '../../../src-shared/domain/workshop.ts';
import { readProcess } from '../../adapters/process/processTable.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { pythonHere } from '../../testing/python.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { createTestWorkshop, noSignal, toolOf } from '../../testing/workshop.ts';
import { createTool, executeTool, createAndExecute } from './executions.fixture.ts';

afterEach(expectNoLeaks);

const python = await pythonHere('pythonScripts.test.ts');

describe.skipIf(python === null)('python', () => {
  const pythonTool = (scriptContent: string, change: Record<string, unknown> = {}): ToolContent =>
    toolOf({ executorType: 'python', executorConfig: {}, scriptContent, ...change });
  const echo =
    'import json, sys\narguments = json.load(sys.stdin)\njson.dump({"text": arguments["text"], "length": len(arguments["text"])}, sys.stdout, ensure_ascii=False)\n';

  it('passes arguments and results as JSON in every script', async () => {
    await using at = createTestWorkshop();
    expect(
      await createAndExecute(at, pythonTool(echo), { text: '買い物 🛒 "x"\n\u2028' }),
    ).toMatchObject({
      status: 'SUCCESS',
      outputData: { text: '買い物 🛒 "x"\n\u2028', length: 11 },
    });
  });

  it('shows where an exception happened', async () => {
    await using at = createTestWorkshop();
    const done = await createAndExecute(
      at,
      pythonTool('def inner():\n    raise ValueError("here")\ninner()\n'),
    );
    expect(done).toMatchObject({ status: 'FAILED', errorCode: 'exit_code' });
    expect(done.stderrTail).toMatch(/line 2[\s\S]*ValueError: here/);
  });

  it('rejects invalid Python without running it', async () => {
    await using at = createTestWorkshop();
    await using folder = await temporaryFolder();
    const trap = join(folder.path, 'made');
    const error: unknown = await createTool(
      at,
      pythonTool(`open(${JSON.stringify(trap)}, "w")\ndef f(:\n    pass\n`),
    ).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'INVALID',
      data: { field: 'content.scriptContent', cause: expect.stringContaining('line 2') as string },
    });
    const draft = {
      name: 'x',
      displayName: 'x',
      description: 'x',
      tags: '',
      executorType: 'python' as const,
      inputSchema: '',
      outputSchema: '',
      executorConfig: '',
      scriptContent: 'x = (\n',
    };
    expect((await at.workshop.check({ draft, id: null }, noSignal)).problems).toMatchObject([
      { field: 'scriptContent', line: 1 },
    ]);
    expect(existsSync(trap)).toBe(false);
  });

  it('T58: saves a script without an interpreter and reports the missing interpreter when it runs', async () => {
    await using at = createTestWorkshop();
    await at.workshop.updateSettings({ python: '/nowhere/python3' }, noSignal);
    expect(await at.workshop.interpreter(undefined, noSignal)).toMatchObject({
      found: false,
      reason: expect.stringContaining('/nowhere/python3') as string,
    });
    const id = await createTool(at, pythonTool(echo));
    expect(await executeTool(at, id, { text: 'a' })).toMatchObject({
      status: 'FAILED',
      errorCode: 'no_interpreter',
      errorMessage: expect.stringContaining('Install Python 3') as string,
    });
    await at.workshop.updateSettings({ python: '' }, noSignal);
    expect(await executeTool(at, id, { text: 'a' })).toMatchObject({ status: 'SUCCESS' });
  });

  it.skipIf(process.platform !== 'linux')(
    'T56, T57: ends a script that double-forks and shows it no secret',
    async () => {
      await using at = createTestWorkshop();
      process.env['TOUCHSTONE_TEST_CANARY'] = 'canary-0123456789';
      try {
        const script = [
          'import json, os, sys',
          'read, write = os.pipe()',
          'if os.fork() == 0:',
          '    os.setsid()',
          '    if os.fork() == 0:',
          '        os.write(write, str(os.getpid()).encode())',
          '        os.execvpe("sleep", ["sleep", "1000"], {})',
          '    os._exit(0)',
          'os.wait()',
          'around = {"env": dict(os.environ), "parent": open(f"/proc/{os.getppid()}/environ").read(), "fds": os.listdir("/proc/self/fd")}',
          'json.dump({"pid": int(os.read(read, 20)), "canary": "canary" in json.dumps(around), "cwd": os.getcwd()}, sys.stdout)',
        ].join('\n');
        const done = await createAndExecute(at, pythonTool(script));
        expect(done).toMatchObject({ status: 'SUCCESS', outputData: { canary: false } });
        const { pid, cwd } = done.outputData as { pid: number; cwd: string };
        expect([await readProcess(pid), existsSync(cwd)]).toEqual([null, false]);
      } finally {
        delete process.env['TOUCHSTONE_TEST_CANARY'];
      }
    },
  );
});
