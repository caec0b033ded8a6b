import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

const formats = ['html', 'md', 'json', 'csv', 'xml'];

/** An evaluation in a folder of its own that runs whole and in parts; `options` are those of `eval`. */
export function shardedEvaluation(...options: string[]) {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  const at = (name: string): string => join(folder.path, name);
  const run = (...args: string[]): Promise<Ended> =>
    runCommand(args, {
      workspace: at('workspace'),
      env: { GITHUB_STEP_SUMMARY: at('summary.md') },
    });
  const evaluate = (...args: string[]): Promise<Ended> =>
    run(
      ...['eval', '--suite', at('suite.json'), '--tools', at('tools.json'), ...options],
      ...['--quiet', ...args],
    );
  const replay = (file: string): string[] => [
    ...['--provider', 'replay', '--model', 'default-v1', '--replay', at(file)],
    ...['--stamp', 'fixed'],
  ];

  /** Every report that a command writes, and how it ended. */
  async function reportsOf(name: string, command: (...args: string[]) => Promise<Ended>) {
    const files = formats.map((format) => at(`${name}.${format}`));
    rmSync(at('summary.md'), { force: true });
    const { code, stdout } = await command('--json', '--report', ...files, 'github');
    const texts = [...files, at('summary.md')].map((file) => readFileSync(file, 'utf8'));
    return { code, stdout, texts };
  }

  /** Runs every part, the last one first, and returns their reports. */
  async function runParts(of: number, ...args: string[]) {
    const codes: number[] = [];
    const files: string[] = [];
    for (let index = of; index >= 1; index -= 1) {
      const file = at(`part-${index}-of-${of}.json`);
      const { code } = await evaluate(...args, '--shard', `${index}/${of}`, '--report', file);
      codes.push(code ?? -1);
      files.push(file);
    }
    return { codes, files };
  }

  /** Merged parts have the bytes of one run in every format, and end with its code. */
  async function expectAsWhole(of: number, args: readonly string[], code: number): Promise<void> {
    const whole = await reportsOf('whole', (...report) => evaluate(...args, ...report));
    const { codes, files } = await runParts(of, ...args);
    const merged = await reportsOf('merged', (...report) =>
      run('merge', ...files, '--stamp', 'fixed', '--quiet', ...report),
    );
    expect([whole.code, merged.code]).toEqual([code, code]);
    expect(new Set(codes)).toEqual(new Set(code === 3 ? [0, 3] : [0]));
    for (const [index, text] of whole.texts.entries()) {
      expect(text.length).toBeGreaterThan(100);
      expect(merged.texts[index] === text, formats[index] ?? 'summary').toBe(true);
    }
    expect(JSON.parse(merged.stdout)).toEqual(JSON.parse(whole.stdout));
    for (const file of [files[0] ?? '', at('merged.json')]) {
      const verified = await run('verify', file, '--json');
      expect(JSON.parse(verified.stdout)).toMatchObject({ differences: [] });
    }
  }

  /** All parts together pass against a baseline that has the same runs. */
  async function expectNoRegression(): Promise<void> {
    const args = replay('all.jsonl');
    await evaluate(...args, '--report', at('baseline.json'));
    const { files } = await runParts(2, ...args);
    const judged = await run('merge', ...files, '--against', at('baseline.json'), '--json');
    expect(judged.code, judged.stderr).toBe(0);
    expect(JSON.parse(judged.stdout)).toMatchObject({
      check: { result: 'passed', baseline: { models: [{ outcome: 'passed', regressed: [] }] } },
    });
  }

  /** What is said of parts that can't be merged. */
  async function refused(...given: string[]): Promise<string> {
    const { code, stdout, stderr } = await run('merge', ...given);
    expect([code, stdout], stderr).toEqual([2, '']);
    return stderr;
  }

  return { at, run, evaluate, replay, runParts, expectAsWhole, expectNoRegression, refused };
}
