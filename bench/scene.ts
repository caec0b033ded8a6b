import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { programFiles } from '../src-main/runtime/programFiles.ts';

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  /** How long it took to end after the signal; 0 if it had ended before. */
  afterMs: number;
}

/** A folder of its own with a workspace, and the commands that run in it. */
export class Scene {
  readonly folder = mkdtempSync(join(tmpdir(), 'touchstone-soak-'));
  slowestMs = 0;
  constructor() {
    mkdirSync(this.at('tmp'));
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, value: unknown): string {
    writeFileSync(this.at(name), JSON.stringify(value));
    return this.at(name);
  }

  /** Runs a command to its end, or until it gets a signal after so many milliseconds. */
  async run(
    args: readonly string[],
    killAfterMs: number | null = null,
    signal: NodeJS.Signals = 'SIGKILL',
  ): Promise<Ended> {
    const began = performance.now();
    const child = spawn(process.execPath, [join(programFiles.root, 'out/main/cli.js'), ...args], {
      env: {
        ...process.env,
        NO_COLOR: '1',
        TMPDIR: this.at('tmp'),
        TOUCHSTONE_HOME: this.at('workspace'),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // What waits for input has to wait until the signal.
    if (killAfterMs === null) child.stdin.end();
    const killed = { at: Infinity };
    const timer =
      killAfterMs === null
        ? undefined
        : setTimeout(() => {
            killed.at = performance.now();
            child.kill(signal);
          }, killAfterMs);
    const ended = once(child, 'exit').then(() => performance.now());
    const [stdout, stderr, endedAt] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    clearTimeout(timer);
    if (child.exitCode !== null)
      this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
    const afterMs = Math.max(0, endedAt - killed.at);
    return { code: child.exitCode, stdout, stderr, afterMs };
  }

  /** Runs a command that must succeed. */
  async succeed(args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code === null || code > 1)
      throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  /** Live processes that were started in it, once those whose parent was killed had time to end. */
  async processes(): Promise<number> {
    const list = (): number =>
      execFileSync('ps', ['axeww', '-o', 'args='], { encoding: 'utf8', maxBuffer: 1 << 28 })
        .split('\n')
        .filter((line) => line.includes(this.folder)).length;
    for (let waited = 0; waited < 5_000 && list() > 0; waited += 100) await delay(100);
    return list();
  }

  /** Temporary files, and new content of files that was never finished. */
  files(): number {
    const names = readdirSync(this.folder, { recursive: true, encoding: 'utf8' });
    return readdirSync(this.at('tmp')).length + names.filter((name) => /\.new$/.test(name)).length;
  }
}

const words = ['invoice', 'contract', 'photo', 'meeting', 'holiday', 'parcel', 'recipe', 'song'];
export const caseCount = 400;

/** Writes tools and a suite, and returns the arguments of its evaluation by a model in the program. */
export function material(scene: Scene): string[] {
  const tools = words.map((word) => ({
    ...{ server: 'office', name: word, description: `Finds a ${word} by its words.` },
    input_schema: { type: 'object' },
  }));
  const cases = Array.from({ length: caseCount }, (_, index) => ({
    ...{ id: `case-${index}`, name: `Case ${index}`, query: `find the song of week ${index}` },
    expected_calls: [{ server: 'office', tool: words[index % words.length] }],
  }));
  const suite = { version: 1, name: 'office', servers: ['office'], cases };
  return [
    ...['eval', '--suite', scene.write('suite.json', suite), '--quiet', '--stamp', 'fixed'],
    ...['--tools', scene.write('tools.json', { tools }), '--provider', 'builtin'],
  ];
}
