import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluationSettings } from '../src-shared/domain/evaluation.ts';
import { createSecrets } from '../src-main/adapters/secrets/secrets.ts';
import { createServices } from '../src-main/app/createServices.ts';
import { makeMaterial } from './material.ts';

/**
 * Runs one whole evaluation against an endpoint, stored and published, and prints its cost. A small
 * one runs first, so that modules and the scoring thread are loaded, as in a window in use.
 */
const cases = Number(process.argv[2]);
const baseUrl = process.argv[3] ?? '';
const warmUpCases = 100;
const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
const signal = new AbortController().signal;
const opened = await createServices({
  host: 'cli',
  folder,
  secrets: createSecrets({ environment: {} }),
});
const settings = evaluationSettings.parse({
  suiteId: null,
  concurrency: 32,
  models: [{ provider: 'openai-compatible', model: 'bench', baseUrl }],
});

async function evaluate(count: number): Promise<number> {
  const inline = makeMaterial(count);
  const began = performance.now();
  const { id } = await opened.services.evaluations.start({ ...settings, inline });
  let last = '';
  for await (const event of opened.services.evaluations.watch({ id, afterSeq: 0 }, { signal }))
    last = event.type;
  const ms = performance.now() - began;
  const { counts } = await opened.services.evaluations.get({ id });
  if (last !== 'ended' || counts.total !== count || counts.failed + counts.open > 0)
    throw new Error(`Not all were scored: ${JSON.stringify(counts)}.`);
  return ms;
}

await evaluate(warmUpCases);
const ms = await evaluate(cases);
await opened.close();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify({ ms, peakMegabytes: process.resourceUsage().maxRSS / 1024 }));
