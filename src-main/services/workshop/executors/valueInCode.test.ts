import { afterEach, describe, expect, it } from 'vitest';
import { expectNoLeaks } from '../../../testing/leakCheck.ts';
import { createTestWorkshop, noSignal, toolOf } from '../../../testing/workshop.ts';
import { shellConfig } from '../../../../src-shared/domain/executors.ts';
import { runShell } from './shell.ts';
import { findValueInCode } from './valueInCode.ts';

afterEach(expectNoLeaks);

const words = (line: string): [string, string[]] => {
  const [command = '', ...args] = line.split(' ').map((word) => word.replaceAll('_', ' '));
  return [command, args];
};

describe('values in code', () => {
  // An underscore stands for a blank inside of one argument.
  it.each([
    'sh -c echo_{{a}}',
    '/bin/bash -lc echo_"{{a}}"',
    'bash -o pipefail -c echo_{{a}}',
    'sh -c -e -- echo_{{a}}',
    'zsh -ec {{a}}',
    'busybox sh -c echo_{{a}}',
    'env A=1 sh -c echo_{{a}}',
    'env -S sh_-c_{{a}}',
    'timeout 5 bash -c echo_{{a.b}}',
    'find . -exec sh -c rm_{{a}} ;',
    'docker run --rm alpine sh -c echo_{{a}}',
    'cmd.exe /c echo {{a}}',
    'cmd /d /s /c echo_{{a}}',
    'powershell -NoProfile -Command Write-Host {{a}}',
    'pwsh -ExecutionPolicy Bypass -c Write-Host_{{a}}',
    'powershell Get-Item {{a}}',
    'python3 -c print("{{a}}")',
    'python3.12 -Ic print({{a}})',
    'python -cprint({{a}})',
    'node -e console.log({{a}})',
    'node --eval=console.log({{a}})',
    'node --require x -p {{a}}',
    'perl -ne print_{{a}}',
    'ruby -e a -e {{a}}',
    'php -r echo_{{a}};',
    'awk -F , {print_{{a}}}',
    'sed s/x/{{a}}/e',
    'ssh -p 22 host ls_{{a}}',
    'su me -c ls_{{a}}',
    'npx -c {{a}}',
  ])('T59: are refused in: %s', (line) => {
    expect(findValueInCode(...words(line))).toContain('could run any command');
  });

  it.each([
    'sh -c echo_"$1" -- {{a}}',
    'bash -lc echo_"$1" name {{a}}',
    'bash script.sh -c {{a}}',
    'python3 -c import_sys -- {{a}}',
    'python3 script.py -c {{a}}',
    'node -e console.log(1) -- {{a}}',
    'node script.js -e {{a}}',
    'powershell -File script.ps1 -c {{a}}',
    'awk -f script.awk {{a}}',
    'sed s/x/y/ {{a}}',
    'ssh {{host}} uptime',
    'git log --grep={{a}} -c',
    'curl -c jar {{a}}',
    'echo {{a}}',
  ])('are data in: %s', (line) => {
    expect(findValueInCode(...words(line))).toBeNull();
  });

  it('T59: are refused when a tool is saved, with the way that works', async () => {
    await using at = createTestWorkshop();
    const save = (args: string[]) =>
      at.workshop.create(
        {
          content: toolOf({
            scriptContent: null,
            executorConfig: { command: '/bin/sh', args, output: 'text' },
          }),
          categoryId: null,
          changelog: '',
        },
        noSignal,
      );
    await expect(save(['-c', 'echo {{text}}'])).rejects.toMatchObject({
      data: {
        field: 'content.executorConfig.args',
        cause: expect.stringContaining('["-c","echo \\"$1\\"","--","{{name}}"]') as string,
      },
    });
    const { id } = await save(['-c', 'echo "$1"', '--', '{{text}}']);
    const hostile = '$(touch made); `id`; "\'';
    expect(
      await at.workshop.execute(
        { tool: id, arguments: { text: hostile }, activeOnly: false },
        noSignal,
      ),
    ).toMatchObject({ status: 'SUCCESS', outputData: `${hostile}\n` });
  });

  it('T59: are refused when a tool that was saved earlier runs', async () => {
    const config = shellConfig.parse({ command: '/bin/sh', args: ['-c', 'echo {{text}}'] });
    const call = {
      arguments: { text: 'x' },
      secrets: new Map<string, string>(),
      limitMs: 10_000,
      memoryBytes: null,
      allowedHosts: [],
      redact: (text: string) => text,
    };
    expect(await runShell(null, config, call, noSignal.signal)).toMatchObject({
      status: 'FAILED',
      error: { code: 'policy', message: expect.stringContaining('any command') as string },
    });
  });
});
