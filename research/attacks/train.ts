/**
 * Fits the weights of the learned part of the detectors to the train split:
 *
 *   node --max-old-space-size=12288 research/attacks/train.ts
 *
 * Writes `src-main/analysis/detectors/learned/weights.ts`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fit, weightsModule } from './fit.ts';
import { trainingData, trainingEntries } from './trainingData.ts';

const data = trainingData(trainingEntries());
const fitted = fit(data);
writeFileSync(
  join(import.meta.dirname, '../../src-main/analysis/detectors/learned/weights.ts'),
  weightsModule(fitted),
);
process.stdout.write(
  `${data.attacks.length} attacks, ${data.honest.length} honest sentences, ` +
    `${fitted.bytes.filter((weight) => weight !== 0).length} of ${fitted.bytes.length} weights are not 0\n`,
);
