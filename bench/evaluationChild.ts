import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluationSettings } from '../src-shared/domain/evaluation.ts';
import { loadBuiltServices } from './builtServices.ts';
import { makeMaterial } from './material.ts';

/**
 * Runs one whole evaluation with `builtin`, as the program does, and prints its cost. A separate
 * process, so that memory can be measured.
 */
const cases = Number(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
const signal = new AbortController().signal;
const createServices = await loadBuiltServices();
const opened = await createServices({ host: 'cli', folder });
const settings = evaluationSettings.parse({
  suiteId: null,
  models: [{ provider: 'builtin', model: 'default-v1' }],
});
const began = performance.now();
const { id } = await opened.services.evaluations.start({
  ...settings,
  inline: makeMaterial(cases),
});
let last = null;
for await (const event of opened.services.evaluations.watch({ id, afterSeq: 0 }, { signal }))
  last = event.type;
const ms = performance.now() - began;
const { counts } = await opened.services.evaluations.get({ id });
await opened.close();
rmSync(folder, { recursive: true, force: true });
if (last !== 'ended' || counts.tp + counts.fp + counts.tn + counts.fn !== cases)
  throw new Error(`Only ${JSON.stringify(counts)} of ${cases} were scored.`);
process.stdout.write(JSON.stringify({ ms, peakMegabytes: process.resourceUsage().maxRSS / 1024 }));
