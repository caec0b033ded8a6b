import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const run = (args: readonly string[], input: string): Promise<Ended> =>
  runCommand(args, { workspace: join(folder.path, 'workspace'), input });

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await folder.remove();
});

describe('score', () => {
  it('lists every line that it cannot read, and skips them with --keep-going', async () => {
    const line = (id: string, change: object = {}) =>
      JSON.stringify({
        id,
        tools: [{ name: 'f' }],
        expected_calls: [{ name: 'f' }],
        actual_calls: [{ name: 'f' }],
        ...change,
      });
    const lines = [line('1'), '{"id":', line('2', { note: 'x' }), '[]', line('3', { tools: 1 })];
    const text = lines.join('\n');
    const stopped = await run(['score', '--input', '-'], text);
    expect(stopped.code).toBe(2);
    expect(stopped.stdout.trim().split('\n')).toHaveLength(1);
    expect(stopped.stderr).toMatch(/^-:2: It isn't valid JSON.*\n-:4: line: .*\n-:5: tools: /);
    expect(stopped.stderr).toContain('3 lines can’t be read. Fix them, or skip with --keep-going.');
    const going = await run(['score', '--input', '-', '--keep-going'], text);
    expect(going.code).toBe(3);
    const output = going.stdout
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as object);
    expect(output).toMatchObject([
      { id: '1', passed: true },
      { line: 2, skipped: expect.stringContaining('valid JSON') as string },
      { id: '2', passed: true },
      { line: 4 },
      { line: 5 },
      { summary: { scored: 2, not_scored: 0, skipped: 3, unused_fields: ['note'] } },
    ]);
    expect(going.stderr).toContain('Fields not used: note (1 line).');
    expect(going.stderr).toContain('3 lines can’t be read and are skipped. Scored: 2.');
    expect((await run(['score', '--input', '-', '--keep-going'], '{"id":')).code).toBe(2);
  });

  it('scores by the arguments mode of a line, else of the option', async () => {
    const line = (id: string, change: object = {}) =>
      JSON.stringify({
        id,
        tools: [{ name: 'f', inputSchema: { properties: { a: {}, b: {} } } }],
        expected_calls: [{ name: 'f', arguments: { a: 1 } }],
        actual_calls: [{ name: 'f', arguments: { a: 1, b: 2 } }],
        ...change,
      });
    const text = [
      line('1'),
      line('2', { arguments_mode: 'exact' }),
      line('3', { arguments_mode: 'at-least' }),
    ].join('\n');
    const passed = async (...options: string[]) =>
      (await run(['score', '--input', '-', ...options], text)).stdout
        .trim()
        .split('\n')
        .map((each) => (JSON.parse(each) as { passed: boolean }).passed);
    expect(await passed()).toEqual([true, false, true]);
    expect(await passed('--arguments-mode', 'exact')).toEqual([false, false, true]);
    expect(await passed('--arguments-mode', 'at-least')).toEqual([true, false, true]);
    const { stderr } = await run(['score', '--input', '-', '--arguments-mode', 'loose'], text);
    expect(stderr).toContain('Allowed choices are at-least, exact');
    const misspelled = await run(
      ['score', '--input', '-'],
      line('1', { expected_calls: [{ name: 'f', parameters: { a: 2 } }] }),
    );
    expect(misspelled.stderr).toContain('Fields not used: expected_calls[].parameters (1 line).');
  });
});
