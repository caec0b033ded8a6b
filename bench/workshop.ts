import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { toolContent, type ToolContent } from '../src-shared/domain/workshop.ts';
import { createServices } from '../src-main/app/createServices.ts';
import { listProcesses, readMarks } from '../src-main/adapters/process/processTable.ts';
import { ratioRow, type Row } from './report.ts';

const options = { signal: new AbortController().signal };
const atOnce = 100;
const single = 30;
const many = 10_000;
const frameMs = 16.7;

const tool = (change: Record<string, unknown>): ToolContent =>
  toolContent.parse({
    displayName: 'Bench',
    description: 'For the benchmark.',
    inputSchema: { type: 'object' },
    executorType: 'shell',
    executorConfig: { output: 'json' },
    ...change,
  });
const script = "process.stdin.resume().on('end', () => console.log('{}'))";
const node = { command: process.execPath, args: ['-e', script], output: 'json' };
const median = (values: number[]): number =>
  values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/**
 * One hundred one-second scripts at once, the cost of a run over a bare spawn, and the search over
 * 10,000 tools.
 */
export async function benchWorkshop(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const opened = await createServices({ host: 'cli', folder });
  const { workshop } = opened.services;
  const run = (name: string) =>
    workshop.execute({ tool: name, arguments: {}, activeOnly: false }, options);
  try {
    for (const content of [
      tool({ name: 'sleeper', scriptContent: 'sleep 1; echo 1' }),
      tool({ name: 'quick', executorConfig: node }),
    ])
      await workshop.create({ content, categoryId: null, changelog: '' }, options);
    await workshop.updateSettings({ concurrency: 16 });

    const delay = monitorEventLoopDelay({ resolution: 5 });
    let peak = 0;
    const watching = setInterval(
      () => void countOwn().then((count) => (peak = Math.max(peak, count))),
      300,
    );
    delay.enable();
    const all = await Promise.all(Array.from({ length: atOnce }, () => run('sleeper')));
    delay.disable();
    clearInterval(watching);
    const lost = all.filter(({ status }) => status !== 'SUCCESS').length;
    if (lost > 0) throw new Error(`${lost} of ${atOnce} executions were lost.`);

    const ours: number[] = [];
    const bare: number[] = [];
    // Alternates both, so that disturbances affect them equally.
    for (let index = 0; index < single; index += 1) {
      bare.push(await timed(spawnBare));
      ours.push(await timed(() => run('quick')));
    }

    const files = Array.from({ length: 2000 }, (_, index) => index);
    for (let block = 0; block < many / files.length; block += 1) {
      const tools = files.map((index) => ({
        path: `${block}-${index}.tool.json`,
        text: JSON.stringify({
          touchstone_tool: 1,
          name: `tool_${block}_${index}`,
          description: `This tool has the number ${index} of block ${block}.`,
          executor_type: 'shell',
          executor_config: { command: 'true' },
        }),
      }));
      await workshop.import({ files: tools, changelog: '' }, options);
    }
    const searches = ['tool', 'number 77', 'finds nothing at all', ''].map((search) => ({
      search,
      deleted: false,
      offset: 0,
      limit: 100,
    }));
    const times: number[] = [];
    for (let round = 0; round < 20; round += 1)
      for (const query of searches) times.push(await timed(() => workshop.list(query)));
    return [
      ratioRow(
        `${atOnce} scripts of 1 s at once, 16 at a time: longest pause of the event loop`,
        delay.max / 1e6,
        'ms',
        'bound',
        100,
        1,
      ),
      ratioRow(
        `the same: processes at once (a shell, its script and its sleep each)`,
        peak,
        'processes',
        'bound',
        16 * 3 + 2,
        1,
      ),
      ratioRow(
        `one run of a script, median of ${single}`,
        median(ours),
        'ms',
        'a bare spawn',
        median(bare),
        1.3,
      ),
      ratioRow(
        `search over ${many.toLocaleString('en')} tools, median`,
        median(times),
        'ms',
        'one frame',
        frameMs,
        1,
      ),
    ];
  } finally {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function spawnBare(): Promise<void> {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end('{}');
  child.stdout.resume();
  await once(child, 'close');
}

/** Processes that carry a run ID of this process. */
async function countOwn(): Promise<number> {
  const marks = await readMarks((await listProcesses()).map(({ pid }) => pid));
  const own = `touchstone-${process.pid}-`;
  return [...marks.values()].filter(({ runId }) => runId?.includes(own)).length;
}
