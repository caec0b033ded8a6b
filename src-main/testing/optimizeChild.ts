import { createServices } from '../app/createServices.ts';
import { optimizationSettings } from '../../src-shared/domain/optimization.ts';

/**
 * A program that optimizes, for tests that kill it: `node optimizeChild.ts FOLDER EVALUATION`. It
 * starts the optimization of the evaluation, or resumes the one that is there, and prints the whole
 * optimization as JSON when it has ended.
 */
const [folder = '', evaluationId = ''] = process.argv.slice(2);
const opened = await createServices({ host: 'cli', folder });
const { optimizations } = opened.services;
const [known] = await optimizations.list();
const { id } = known
  ? await optimizations.resume({ id: known.id })
  : await optimizations.start({
      ...optimizationSettings.parse({}),
      evaluationId,
      modelSettingsId: null,
    });
const { signal } = new AbortController();
for await (const { state } of optimizations.watch({ id }, { signal }))
  if (state !== 'running') break;
process.stdout.write(`${JSON.stringify(await optimizations.get({ id }))}\n`);
await opened.close();
