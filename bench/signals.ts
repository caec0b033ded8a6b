import { rmSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { CommandScene } from '../src-main/testing/commandScene.ts';
import { material, words } from './scene.ts';

/** What a command did that got SIGTERM at random moments. */
export interface SignalFigures {
  command: string;
  rounds: number;
  /** Those that had ended before. */
  finished: number;
  /** What was wrong; must be empty. */
  faults: string[];
  /** Longest time from the signal to the end of the program. */
  slowestMs: number;
}

/** Every program ends within this time. */
const maxEndMs = 5_000;
/** A command that runs until it is told to end. */
const endlessMs = 3_000;

const kindOf = (at: number): string => words[at % words.length] ?? '';

/** A suite of YAML with so many cases, 290 bytes each. */
const longSuite = (cases: number): string =>
  `version: 1\nname: large\nservers:\n  - todo\ncases:\n${Array.from(
    { length: cases },
    (_, at) =>
      `  - id: c${at}\n    name: Case ${at}\n    query: "${`Add the task ${at} to my list. `.repeat(6)}"\n` +
      '    expected_calls:\n      - server: todo\n        tool: add_task\n',
  ).join('')}`;

/** The commands that take long, by name, in a workspace that has something for each. */
async function prepare(scene: CommandScene): Promise<Record<string, string[]>> {
  const evaluate = material(scene);
  const many = scene.write('many.json', {
    tools: Array.from({ length: 1_500 }, (_, at) => ({
      ...{ server: 'office', name: `${kindOf(at)}_${at}` },
      description: `Finds a ${kindOf(at)} of kind ${at}, and ${kindOf(at * 3)}.`,
      input_schema: { type: 'object' },
    })),
  });
  const tasks = scene.write('tasks.json', {
    ...{ version: 1, name: 'todo', servers: ['todo'] },
    cases: Array.from({ length: 12 }, (_, at) => ({
      ...{ id: `t${at}`, name: `t${at}`, turns: ['Add a task "Buy milk" for user u-1.'] },
      checks: [{ calls: { must: ['add_task'] } }],
    })),
  });
  writeFileSync(scene.at('large.yaml'), longSuite(50_000));
  writeFileSync(scene.at('stored.yaml'), longSuite(2_000).replace('name: large', 'name: stored'));
  await scene.succeed(['suite', 'import', tasks]);
  await scene.succeed(['suite', 'import', scene.at('stored.yaml')]);
  await scene.succeed(['eval', '--suite', 'stored', '--provider', 'builtin', '--quiet']);
  const parts = [1, 2].map((part) => scene.at(`part-${part}.json`));
  for (const [at, file] of parts.entries())
    await scene.succeed([...evaluate, '--shard', `${at + 1}/2`, '--report', file]);
  await scene.succeed([...evaluate, '--repetitions', '20', '--report', scene.at('report.json')]);
  const db = new Sqlite(databaseOf(scene), { readonly: true });
  await db.backup(scene.at('copy.sqlite'));
  db.close();
  const byBuiltin = ['--provider', 'builtin'];
  return {
    eval: [...evaluate, '--repetitions', '10', '--report', scene.at('x.json')],
    tasks: [
      ...['eval', '--suite', 'todo', ...byBuiltin, '--execute', 'full', '--yes'],
      ...['--repetitions', '2', '--quiet'],
    ],
    import: ['suite', 'import', scene.at('large.yaml'), '--replace', '--json'],
    export: ['export', '1', '--to', 'html', '--out', scene.at('x.html')],
    merge: ['merge', ...parts, '--report', scene.at('merged.json'), '--quiet'],
    verify: ['verify', scene.at('report.json')],
    check: [
      'check',
      '--suite',
      scene.at('suite.json'),
      ...evaluate.slice(6),
      '--min',
      'pass_rate=0',
    ],
    optimize: [
      ...['optimize', '--suite', scene.at('suite.json'), '--tools', scene.at('tools.json')],
      ...byBuiltin,
    ],
    rescore: ['rescore', '1'],
    similarity: ['similarity', '--tools', many, '--json'],
    lint: ['lint', '--tools', many],
    security: ['security', '--tools', many],
    clients: ['clients', '--tools', many],
    salvage: ['salvage', '--out', scene.at('saved')],
    restore: ['restore', scene.at('copy.sqlite')],
    gateway: ['gateway', 'todo'],
    mcp: ['mcp'],
    open: ['open', '--host', 'loopback', '--no-browser', '--port', '0'],
  };
}

const databaseOf = (scene: CommandScene): string => scene.at('workspace/touchstone.sqlite');

const endless: ReadonlySet<string> = new Set(['gateway', 'mcp', 'open']);

/** Sends SIGTERM to each command at random moments, so many times. */
export async function interruptCommands(rounds: number): Promise<SignalFigures[]> {
  using scene = new CommandScene();
  const figures: SignalFigures[] = [];
  for (const [command, args] of Object.entries(await prepare(scene))) {
    const began = performance.now();
    if (!endless.has(command)) await scene.succeed(args);
    const wholeMs = endless.has(command) ? endlessMs : performance.now() - began;
    const found: SignalFigures = { command, rounds, finished: 0, faults: [], slowestMs: 0 };
    for (let round = 0; round < rounds; round += 1) {
      rmSync(scene.at('saved'), { recursive: true, force: true });
      const killAfterMs = Math.random() * wholeMs;
      const { code, stderr, afterMs } = await scene.run(args, { killAfterMs, signal: 'SIGTERM' });
      const when = `after ${Math.round(killAfterMs)} ms`;
      found.slowestMs = Math.max(found.slowestMs, Math.round(afterMs));
      if (afterMs === 0) found.finished += 1;
      // Ended by a signal: its handler wasn't there yet, or the event loop was held.
      else if (code !== null && ![0, 1, 3].includes(code))
        found.faults.push(`exit code ${code} ${when}: ${stderr.slice(0, 300)}`);
      if (afterMs > maxEndMs) found.faults.push(`${Math.round(afterMs)} ms to end ${when}`);
      if (/went wrong inside|\n {4}at /.test(stderr))
        found.faults.push(`${when}: ${stderr.slice(0, 300)}`);
    }
    found.faults.push(...(await leftBy(scene)));
    figures.push(found);
  }
  return figures;
}

/** What is damaged, still runs or lies around once the next command has run. */
async function leftBy(scene: CommandScene): Promise<string[]> {
  const faults: string[] = [];
  const processes = await scene.processes();
  if (processes > 0) faults.push(`${processes} processes`);
  const { code, stderr } = await scene.run(['suite', 'list', '--json']);
  if (code !== 0) faults.push(`the next command ended with ${code}: ${stderr.slice(0, 300)}`);
  const files = scene.files();
  if (files > 0) faults.push(`${files} files`);
  const db = new Sqlite(databaseOf(scene), { readonly: true });
  const said = db.pragma('integrity_check', { simple: true });
  if (said !== 'ok') faults.push(`database: ${String(said).slice(0, 300)}`);
  db.close();
  return faults;
}
