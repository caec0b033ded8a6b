import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluationSettings } from '../src-shared/domain/evaluation.ts';
import type { LoopBlock } from '../src-main/testing/watchLoop.ts';
import { startMeasuredHost, type HostConnection } from './measuredHost.ts';
import { makeTodoSuite } from './material.ts';
import { ratioRow, type Row } from './report.ts';

const blockBoundMs = 200;
const cancelBoundMs = 1_000;

type Client = HostConnection['client'];

/**
 * Sends trivial requests continuously, like a second window, and returns the longest wait for each.
 */
function keepAsking(client: Client): { stop: () => Promise<Map<string, number>> } {
  const longest = new Map<string, number>();
  const asked: Record<string, () => Promise<unknown>> = {
    'settings.get': () => client.settings.get(),
    'evaluations.list': () => client.evaluations.list({}),
    'servers.list': () => client.servers.list(),
  };
  const over = new AbortController();
  const done = (async () => {
    while (!over.signal.aborted) {
      for (const [name, ask] of Object.entries(asked)) {
        const began = performance.now();
        await ask();
        longest.set(name, Math.max(longest.get(name) ?? 0, performance.now() - began));
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await done;
      return longest;
    },
  };
}

/** Reads the stream from its beginning and resolves once `runs` of the runs have ended. */
async function watchUntil(
  client: Client,
  id: string,
  runs: number,
): Promise<{ ended: boolean; seen: number }> {
  let seen = 0;
  let afterSeq = 0;
  for (;;) {
    try {
      for await (const event of await client.evaluations.watch({ id, afterSeq })) {
        afterSeq = event.seq;
        if (event.type === 'runs') seen += event.outcomes.length;
        if (event.type === 'ended' && seen > 0 && event.state !== 'cancelled')
          return { ended: true, seen };
        if (seen >= runs) return { ended: false, seen };
      }
      return { ended: true, seen };
    } catch (error) {
      if ((error as { code?: string }).code !== 'LAGGED') throw error;
    }
  }
}

interface Answers {
  cancelMs: number;
  maxWaitMs: number;
  blocks: [what: string, block: LoopBlock][];
}

/**
 * Runs the evaluation over the Todo server, cancels it halfway, resumes it, and reads everything
 * that a screen reads.
 */
async function measureResponsiveness(cases: number, repetitions: number): Promise<Answers> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'));
  const host = await startMeasuredHost(folder);
  const [one, two, three] = await Promise.all([host.connect(), host.connect(), host.connect()]);
  try {
    const blocks: Answers['blocks'] = [];
    const phase = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      await host.longestBlock();
      const began = performance.now();
      const value = await work();
      const block = await host.longestBlock();
      blocks.push([what, block]);
      process.stderr.write(
        `  ${what}: ${Math.round(performance.now() - began)} ms, longest block ` +
          `${Math.round(block.ms)} ms, most computing ${Math.round(block.computingMs)} ms\n`,
      );
      return value;
    };
    const { client } = one;
    const total = cases * repetitions;
    const suite = await phase('importing the suite', () =>
      client.suites.import({
        fileName: 'large.json',
        text: JSON.stringify(makeTodoSuite(cases)),
        replace: false,
      }),
    );
    const settings = evaluationSettings.parse({
      suiteId: suite.id,
      repetitions,
      models: [{ provider: 'builtin', model: 'default-v1' }],
    });
    const asking = keepAsking(two.client);
    await phase('planning', () => client.evaluations.plan(settings));
    const { id } = await phase('starting', () => client.evaluations.start(settings));
    await phase('running the first half', () => watchUntil(three.client, id, total / 2));
    await phase('opening the live stream again in mid-run', () =>
      watchUntil(client, id, total / 2 + total / 20),
    );
    await phase('a page of runs in mid-run', () =>
      client.evaluations.runs({ id, sort: 'confidence' }),
    );
    const cancelMs = await phase('cancelling', async () => {
      const began = performance.now();
      const { state } = await client.evaluations.cancel({ id });
      if (state !== 'cancelled') throw new Error(`The evaluation is ${state}.`);
      return performance.now() - began;
    });
    await phase('summary of what was cancelled', () => client.evaluations.summary({ id }));
    await phase('resuming', () => client.evaluations.resume({ id }));
    await phase('running to the end', () => watchUntil(client, id, total));
    await phase('summary', () => client.evaluations.summary({ id }));
    await phase('a page of runs', () =>
      client.evaluations.runs({ id, sort: 'confidence', descending: true }),
    );
    await phase('one run', async () => {
      const { rows } = await client.evaluations.runs({ id, limit: 1 });
      return client.evaluations.run({ id, runId: rows[0]?.runId ?? '' });
    });
    await phase('rescoring', () => client.evaluations.rescore({ id }));
    const waits = await asking.stop();
    for (const [name, ms] of waits)
      process.stderr.write(`  longest wait for ${name}: ${Math.round(ms)} ms\n`);
    return { cancelMs, maxWaitMs: Math.max(...waits.values()), blocks };
  } finally {
    await Promise.all([one, two, three].map((connection) => connection.close()));
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export async function benchResponsiveness(): Promise<Row[]> {
  const { cancelMs, maxWaitMs, blocks } = await measureResponsiveness(6_000, 20);
  const longest = blocks.reduce((most, block) => (block[1].ms > most[1].ms ? block : most));
  const computing = Math.max(...blocks.map(([, block]) => block.computingMs));
  return [
    ratioRow('cancel in an evaluation of 120,000 runs', cancelMs, 'ms', 'bound', cancelBoundMs, 1),
    ratioRow(
      `longest block of the event loop, importing to re-scoring (${longest[0]})`,
      longest[1].ms,
      'ms',
      'bound',
      blockBoundMs,
      1,
    ),
    ratioRow(
      'most computing in one turn of the event loop',
      computing,
      'ms',
      'bound',
      blockBoundMs,
      1,
    ),
    ratioRow(
      'longest wait of a second window for a trivial answer',
      maxWaitMs,
      'ms',
      'bound',
      blockBoundMs,
      null,
    ),
  ];
}
