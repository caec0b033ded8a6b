import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandScene } from '../src-main/testing/commandScene.ts';
import { saveUntilKilled } from './kills.ts';
import { caseCount, material } from './scene.ts';

/** What a step did with commands that were killed or given what never ends, and what that left. */
export interface CommandFigures {
  step: string;
  rounds: number;
  /** Results that had to be there afterward: runs, rows, answers, or refusals. */
  results: number;
  /** Those that were not, and of which no command said so; must be 0. */
  lost: number;
  /** Live processes of the step's commands; must be 0. */
  processes: number;
  /** Temporary files and folders; must be 0. */
  files: number;
  slowestMs: number;
}

/** Results that had to be there and those that are lost, of one round. */
type Counted = Pick<CommandFigures, 'results' | 'lost'>;

/** Evaluations of tasks on real servers are killed and resumed: each run is there once. */
async function tasks(scene: CommandScene, killAfterMs: number): Promise<Counted> {
  const names = Array.from({ length: 12 }, (_, index) => `task-${index}`);
  const suite = {
    ...{ version: 1, name: 'todo', servers: ['todo'] },
    cases: names.map((id) => ({
      ...{ id, name: id, turns: ['Add a task "Buy milk" for user u-1.'] },
      checks: [{ calls: { must: ['add_task'] } }],
    })),
  };
  const silent = ['--quiet', '--json'];
  if (!existsSync(scene.at('tasks.json')))
    await scene.succeed(['suite', 'import', scene.write('tasks.json', suite)]);
  const evaluate = [
    ...['eval', '--suite', 'todo', '--provider', 'builtin', '--repetitions', '3', ...silent],
    ...['--execute', 'full', '--yes'],
  ];
  const started = await scene.run(evaluate, { killAfterMs });
  const listed = await scene.succeed(['evaluations', 'list', '--limit', '1', ...silent]);
  const { evaluations } = JSON.parse(listed) as { evaluations: { status: string }[] };
  const isInterrupted = evaluations[0]?.status === 'interrupted';
  const again = isInterrupted
    ? ['eval', '--resume', 'latest', '--only', 'tasks', ...silent]
    : evaluate;
  const answer = started.code === null ? await scene.succeed(again) : started.stdout;
  const { runs } = JSON.parse(answer) as { runs: { task: string; outcome: string }[] };
  const whole = runs.filter(({ outcome }) => outcome !== 'not scored').length;
  return { results: names.length * 3, lost: Math.abs(names.length * 3 - whole) };
}

/** A merge is killed, and the next one writes the same bytes as one that nobody disturbed. */
async function merge(scene: CommandScene, killAfterMs: number): Promise<Counted> {
  const parts = [1, 2].map((part) => scene.at(`part-${part}.json`));
  const report = (name: string): string[] => [
    ...['--quiet', '--stamp', 'fixed', '--report', scene.at(name)],
  ];
  if (!existsSync(scene.at('whole.json'))) {
    const evaluate = material(scene);
    for (const [index, file] of parts.entries())
      await scene.succeed([...evaluate, '--shard', `${index + 1}/2`, '--report', file]);
    await scene.succeed(['merge', ...parts, ...report('whole.json')]);
  }
  await scene.run(['merge', ...parts, ...report('again.json')], { killAfterMs });
  await scene.succeed(['merge', ...parts, ...report('again.json')]);
  const read = (name: string): Buffer => readFileSync(scene.at(name));
  return {
    results: caseCount,
    lost: read('again.json').equals(read('whole.json')) ? 0 : caseCount,
  };
}

/** What was acknowledged before a kill is salvaged past a flipped bit, or is said to be missing. */
async function salvage(scene: CommandScene): Promise<Counted> {
  rmSync(scene.at('workspace'), { recursive: true, force: true });
  mkdirSync(scene.at('workspace'));
  const file = scene.at('workspace/touchstone.sqlite');
  const keys = await saveUntilKilled(file);
  const damaged = existsSync(`${file}-wal`) ? `${file}-wal` : file;
  const bytes = readFileSync(damaged);
  const place = Math.floor(Math.random() * bytes.length);
  bytes[place] = (bytes[place] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
  writeFileSync(damaged, bytes);
  rmSync(scene.at('out'), { recursive: true, force: true });
  const { code, stderr } = await scene.run(['salvage', '--out', scene.at('out'), '--json']);
  if (code !== 0 && code !== 3) throw new Error(`salvage ended with ${code}: ${stderr}`);
  const rows = scene.at('out/test_cases.jsonl');
  const found = existsSync(rows) ? readFileSync(rows, 'utf8') : '';
  const missing = keys.filter((key) => !found.includes(key)).length;
  return { results: keys.length, lost: code === 0 ? missing : 0 };
}

/** Evaluations with a cache are killed and their entries damaged: no answer is taken from those. */
async function cache(scene: CommandScene, killAfterMs: number): Promise<Counted> {
  const model = createServer((request, response) => {
    request.resume().once('end', () => response.end(JSON.stringify(chatAnswer)));
  }).listen(0, '127.0.0.1');
  await once(model, 'listening');
  try {
    const { port } = model.address() as AddressInfo;
    const evaluate = [
      ...material(scene).slice(0, -1),
      ...['openai-compatible', '--model', 'm', '--base-url', `http://127.0.0.1:${port}/v1`],
      ...['--cache', scene.at('cache')],
    ];
    await scene.run(evaluate, { killAfterMs });
    const entries = existsSync(scene.at('cache'))
      ? readdirSync(scene.at('cache'), { recursive: true, encoding: 'utf8' })
      : [];
    // What a killed process left is swept by the next one, unless it is so young that it may be in use.
    for (const name of entries.filter((each) => each.endsWith('.new')))
      utimesSync(scene.at(`cache/${name}`), 0, 0);
    for (const [index, name] of entries.filter((each) => each.endsWith('.json')).entries()) {
      const entry = scene.at(`cache/${name}`);
      if (index % 40 > 1) continue;
      // It may be the pipe of an earlier round, which would never be read.
      rmSync(entry);
      if (index % 40 === 0) spawnSync('mkfifo', [entry]);
      else writeFileSync(entry, '{"key":');
    }
    const answer = await scene.succeed([...evaluate, '--json']);
    const { verdict } = JSON.parse(answer) as { verdict: { scored: number } };
    return { results: caseCount, lost: caseCount - verdict.scored };
  } finally {
    model.close();
  }
}

const chatAnswer = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm' },
  choices: [
    { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'It is done.' } },
  ],
};

/** Commands are given a pipe that nobody writes to and devices without an end: each refuses. */
async function devices(scene: CommandScene): Promise<Counted> {
  if (!existsSync(scene.at('pipe'))) spawnSync('mkfifo', [scene.at('pipe')]);
  const evaluate = material(scene);
  const given = ['/dev/zero', '/dev/tty', scene.at('pipe')].flatMap((file) => [
    ['suite', 'import', file],
    ['merge', file, file],
    ['lint', '--tools', file],
    ['restore', file],
    ['score', '--input', file],
    [...evaluate, '--replay', file],
    [...evaluate, '--tools', file],
  ]);
  let lost = 0;
  for (const args of given) {
    const { code } = await scene.run(args, { killAfterMs: 60_000 });
    if (code === null || code < 2) lost += 1;
  }
  return { results: given.length, lost };
}

const steps: Readonly<
  Record<string, (scene: CommandScene, killAfterMs: number) => Promise<Counted>>
> = {
  tasks,
  merge,
  salvage,
  cache,
  devices,
};
/** The first kill comes at the latest this long after the start of its command; later ones, within its length. */
const maxLifeMs = 2_500;

/** Hurts each kind of command so many times in a row, and counts what that left. */
export async function hurtCommands(rounds: number): Promise<CommandFigures[]> {
  const figures: CommandFigures[] = [];
  for (const [step, take] of Object.entries(steps)) {
    using scene = new CommandScene();
    const sum = { results: 0, lost: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const { results, lost } = await take(scene, Math.random() * (scene.slowestMs || maxLifeMs));
      sum.results += results;
      sum.lost += lost;
    }
    figures.push({
      ...{ step, rounds, ...sum },
      processes: await scene.processes(),
      files: scene.files(),
      slowestMs: Math.round(scene.slowestMs),
    });
  }
  return figures;
}
