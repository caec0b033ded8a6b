import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { killSessions, sessionVictims } from '../src-main/testing/killedSessions.ts';
import { hurtCommands } from './commands.ts';
import { hostileTable, measureHostileModes } from './hostile.ts';
import { measureKills } from './kills.ts';
import { countLeftovers } from './leftovers.ts';
import { table } from './report.ts';
import { countLeaks, countLeaksOfProgram } from './secretLeaks.ts';
import { interruptCommands } from './signals.ts';

/** One part of the soak: what it found, and whether that is what is promised. */
interface Part {
  figures: string;
  holds: boolean;
}

const lagBoundMs = 200;

async function kills(): Promise<Part> {
  const { acknowledged, lost, refusedStarts, leftFiles, slowestStartMs, ...rest } =
    await measureKills(60);
  return {
    figures: table(
      ['kills', 'saved results', 'lost', 'refused starts', 'left files', 'slowest start in ms'],
      [[rest.kills, acknowledged, lost, refusedStarts, leftFiles.length, slowestStartMs]],
    ),
    holds: lost === 0 && refusedStarts === 0 && leftFiles.length === 0,
  };
}

async function secrets(): Promise<Part> {
  const seed = Number(process.env['TOUCHSTONE_SEED'] ?? Date.now() % 2 ** 31);
  const each = await countLeaks(15, seed);
  const whole = await countLeaksOfProgram();
  const sum = each.rows.reduce((total, { leaks }) => total + leaks.reduce((a, b) => a + b), 0);
  const { encodings, sinks, echoes, bytes } = whole;
  return {
    figures:
      `${each.rows.length} encodings × ${each.sinks.length} sinks, ${each.secrets} secrets ` +
      `each (TOUCHSTONE_SEED=${seed}): ${sum} leaks\n\n` +
      `${table(
        ['leaks', ...each.sinks],
        each.rows.map(({ encoding, leaks }) => [encoding, ...leaks]),
      )}\n\n` +
      `Whole program: ${echoes} echoes in ${encodings} encodings × ${sinks} sinks ` +
      `(${(bytes / 1e6).toFixed(1)} MB): ${whole.leaks.length} leaks` +
      whole.leaks.map((leak) => `\n- ${leak}`).join(''),
    holds: sum === 0 && whole.leaks.length === 0,
  };
}

async function hostile(): Promise<Part> {
  const figures = await measureHostileModes();
  const lag = Math.max(...figures.map(({ lagMs }) => lagMs));
  const computing = Math.max(...figures.map(({ computingMs }) => computingMs));
  const peak = Math.max(...figures.map(({ peakMb }) => peakMb));
  return {
    figures:
      `${hostileTable(figures)}\n\n${figures.length} modes: worst lag ${Math.round(lag)} ms, ` +
      `most computing ${Math.round(computing)} ms, peak memory ${Math.round(peak)} MB`,
    // Other work on the machine lengthens a turn, but not what is computed in it.
    holds: computing <= lagBoundMs,
  };
}

async function processes(): Promise<Part> {
  const figures = await countLeftovers();
  return {
    figures: table(
      ['started', 'runs', 'processes', 'left', 'slowest in ms'],
      figures.map(({ kind, runs, daemons, left, slowestMs }) => [
        kind,
        runs,
        daemons,
        left,
        slowestMs,
      ]),
    ),
    holds: figures.every(({ left }) => left === 0),
  };
}

/** Every command that stores, hurt in the middle of its work. */
async function commands(): Promise<Part> {
  const figures = await hurtCommands(6);
  return {
    figures: table(
      ['step', 'rounds', 'results', 'lost', 'processes left', 'files left', 'slowest in ms'],
      figures.map(({ step, rounds, results, lost, ...left }) => [
        ...[step, rounds, results, lost, left.processes, left.files, left.slowestMs],
      ]),
    ),
    holds: figures.every(({ lost, processes, files }) => lost + processes + files === 0),
  };
}

/** Every party of a recorded session, killed at random moments. */
async function sessions(): Promise<Part> {
  const figures = await killSessions(sessionVictims, 6, (below) =>
    Math.floor(Math.random() * below),
  );
  return {
    figures: table(
      ['killed', 'kills', 'answered calls', 'lost', 'unreadable', 'unscored', 'processes left'],
      figures.map(
        ({ victim, kills: count, acknowledged, lost, unread, unscored, processes: left }) => [
          ...[victim, count, acknowledged, lost, unread, unscored, left],
        ],
      ),
    ),
    holds: figures.every(
      ({ lost, unread, unscored, processes: left, restored }) =>
        lost + unread + unscored + left === 0 && restored,
    ),
  };
}

/** Tests that take a sample otherwise: here they try every step and many more bits. */
async function durability(): Promise<Part> {
  const files = ['diskSteps', 'flippedBits'].map(
    (name) => `src-main/store/durability/${name}.test.ts`,
  );
  const vitest = spawn(
    process.execPath,
    [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--maxWorkers=1', ...files],
    {
      cwd: programFiles.root,
      env: { ...process.env, TOUCHSTONE_SOAK: '1', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [stdout, stderr] = await Promise.all([
    text(vitest.stdout),
    text(vitest.stderr),
    once(vitest, 'exit'),
  ]);
  const tried = stderr.split('\n').filter((line) => line.startsWith('tried: '));
  const failed = vitest.exitCode === 0 ? [] : [stdout, stderr];
  return { figures: [...tried, ...failed].join('\n'), holds: vitest.exitCode === 0 };
}

/** Every command that takes long, told to end at random moments. */
async function signals(): Promise<Part> {
  const figures = await interruptCommands(6);
  const faults = figures.flatMap(({ command, faults: own }) =>
    own.map((fault) => `- ${command}: ${fault}`),
  );
  const rows = figures.map(({ command, rounds, finished, slowestMs, faults: { length } }) => [
    ...[command, rounds, finished, length, slowestMs],
  ]);
  return {
    figures: [
      table(['command', 'signals', 'had ended', 'faults', 'slowest end in ms'], rows),
      ...faults,
    ].join('\n'),
    holds: faults.length === 0,
  };
}

const parts: Readonly<Record<string, () => Promise<Part>>> = {
  kills,
  durability,
  secrets,
  hostile,
  processes,
  commands,
  signals,
  sessions,
};

/**
 * Hurts the program on purpose, far longer than the tests do: `npm run soak` runs every part,
 * `npm run soak -- NAME …` only those. It uses loopback only and ends with 1 if a promise is broken.
 */
if (!existsSync(join(programFiles.renderer, 'index.html')))
  throw new Error('Build first: npm run build.');
const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined)
  throw new Error(
    `There is no part with the name ${unknown}. There are: ${Object.keys(parts).join(', ')}.`,
  );
for (const [name, take] of Object.entries(parts)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const startedAt = performance.now();
  const { figures, holds } = await take();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stdout.write(`## ${name}: ${holds ? 'holds' : 'FAILED'}, ${seconds} s\n\n${figures}\n\n`);
  if (!holds) process.exitCode = 1;
}
