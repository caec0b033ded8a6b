/**
 * Fits the weights of the learned part of the detectors to the train split:
 *
 *   node --max-old-space-size=12288 research/attacks/train.ts
 *
 * Writes `datasets/detector_weights.bin`, and its hash into `datasets/checksums.json`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { weightsFile } from '../../src-main/analysis/detectors/learned/weights.ts';
import { programFiles } from '../../src-main/runtime/programFiles.ts';
import { sha256 } from '../../src-main/runtime/sha256.ts';
import { fit, weightsBytes } from './fit.ts';
import { trainingData, trainingEntries } from './trainingData.ts';

const data = trainingData(trainingEntries());
const fitted = fit(data);
const file = weightsBytes(fitted);
writeFileSync(join(programFiles.datasets, weightsFile), file);
const checksums = join(programFiles.datasets, 'checksums.json');
const sums = JSON.parse(readFileSync(checksums, 'utf8')) as Record<string, string>;
writeFileSync(checksums, `${JSON.stringify({ ...sums, [weightsFile]: sha256(file) }, null, 2)}\n`);
process.stdout.write(
  `${data.attacks.length} attacks, ${data.honest.length} honest sentences, ` +
    `${fitted.bytes.filter((weight) => weight !== 0).length} of ${fitted.bytes.length} weights are not 0\n`,
);
