import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type Ended, startCommand } from './commandLine.ts';

/** A folder of its own with a workspace, and the commands that run in it. */
export class CommandScene implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'touchstone-soak-'));
  /** The longest of the commands that ran to their end. */
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

  /** What a command gets next to the environment of this process. */
  get environment(): Record<string, string> {
    return { TMPDIR: this.at('tmp'), XDG_CONFIG_HOME: this.at('config') };
  }

  /** Runs a command to its end, or until it gets a signal after so many milliseconds. */
  async run(
    args: readonly string[],
    { killAfterMs = null, signal = 'SIGKILL', workspace = 'workspace' }: CommandOptions = {},
  ): Promise<EndedAfter> {
    const began = performance.now();
    const child = startCommand(args, { workspace: this.at(workspace), env: this.environment });
    // What waits for input has to wait until it is told to end.
    if (signal === 'SIGKILL') child.stdin.end();
    const killed = { at: Infinity };
    const kill = (): void => {
      killed.at = performance.now();
      child.kill(signal);
    };
    const timer = killAfterMs === null ? undefined : setTimeout(kill, killAfterMs);
    const [stdout, stderr, endedAt] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit').then(() => performance.now()),
    ]);
    clearTimeout(timer);
    if (child.exitCode !== null)
      this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
    const afterMs = Math.max(0, endedAt - killed.at);
    return { code: child.exitCode, stdout, stderr, afterMs };
  }

  /** Runs a command that must succeed. */
  async succeed(args: readonly string[], options: CommandOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
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

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface EndedAfter extends Ended {
  /** How long it took to end after the signal; 0 if it had ended before. */
  afterMs: number;
}

export interface CommandOptions {
  killAfterMs?: number | null;
  signal?: NodeJS.Signals;
  /** The name of the workspace in the folder. */
  workspace?: string;
}
