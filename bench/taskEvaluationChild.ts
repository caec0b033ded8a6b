import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { taskEvaluationRequest } from '../src-shared/domain/taskEvaluation.ts';
import { createSecrets } from '../src-main/adapters/secrets/secrets.ts';
import { createServices } from '../src-main/app/createServices.ts';
import { watchLoop } from '../src-main/testing/watchLoop.ts';
import { makeTasks } from './taskMaterial.ts';

/**
 * Runs one whole evaluation of tasks against an endpoint, stored and published, and prints its cost.
 * A small one runs first, so that modules are loaded, as in a window in use.
 */
const count = Number(process.argv[2]);
const baseUrl = process.argv[3] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
const { signal } = new AbortController();
const opened = await createServices({
  host: 'cli',
  folder,
  secrets: createSecrets({ environment: {} }),
});
const { evaluations } = opened.services;

async function evaluate(tasks: number): Promise<number> {
  const inline = makeTasks(tasks);
  const began = performance.now();
  const { id } = await evaluations.start({
    unit: 'task',
    ...taskEvaluationRequest.parse({
      suiteId: null,
      concurrency: 32,
      models: [{ provider: 'openai-compatible', model: 'bench', baseUrl }],
      inline,
    }),
  });
  for await (const _event of evaluations.watch({ unit: 'task', id, afterSeq: 0 }, { signal }));
  const ms = performance.now() - began;
  const { outcomes, reason } = await evaluations.get({ unit: 'task', id });
  if (outcomes.succeeded !== tasks)
    throw new Error(`Not all succeeded: ${JSON.stringify(outcomes)}. ${reason ?? ''}`);
  return ms;
}

await evaluate(20);
using loop = watchLoop();
const ms = await evaluate(count);
const block = loop.take();
await opened.close();
rmSync(folder, { recursive: true, force: true });
const peakMegabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ ms, peakMegabytes, block }));
