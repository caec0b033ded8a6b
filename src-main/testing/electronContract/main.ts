import * as electron from 'electron';
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from './rules.ts';

// The main module of one rule's program, whatever runs it: FOLDER ARGUMENTS --contract-rule=ID
// --contract-folder=FOLDER. It writes down what the rule's process did.
const value = (name: string): string =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '';
const folder = value('contract-folder');
const trace = join(folder, 'trace');
const starts = join(folder, 'starts');
const log = (line: string | boolean): void => appendFileSync(trace, `${line}\n`);
appendFileSync(starts, '.');
const start = readFileSync(starts).length;

process.on('uncaughtException', (error) => {
  log(`threw ${error.name}: ${error.message}`);
  process.exit(70);
});

/** Electron's binary is started with its folder; the stand-in is a program of Node before it. */
const own = [
  ...process.execArgv,
  ...(JSON.parse(process.env['TOUCHSTONE_CONTRACT_PREFIX'] ?? '[]') as string[]),
  import.meta.dirname,
];
const rule = rules.find(({ id }) => id === value('contract-rule'));
if (rule?.run === undefined) throw new Error(`No rule “${value('contract-rule')}”.`);
electron.app.setPath('userData', join(folder, 'data'));

async function run(perform: NonNullable<typeof rule>['run']): Promise<void> {
  await perform?.({
    electron,
    log,
    folder,
    start,
    startAnother: (...args) =>
      new Promise((resolve, reject) => {
        const child = spawn(
          process.execPath,
          [...own, ...process.argv.filter((argument) => argument.startsWith('--')), ...args],
          { stdio: 'ignore' },
        );
        child.on('error', reject);
        child.on('exit', () => resolve());
      }),
  });
  // A rule whose last line is the program's end ends by itself.
  if (rule?.leaves?.at(-1)?.startsWith('exit ') !== true) process.exit(0);
}
// Not awaited: Electron becomes ready only after this module has run.
void run(rule.run);
