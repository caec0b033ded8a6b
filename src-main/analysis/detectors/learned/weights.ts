import { errorCode, errorText } from '../../../../src-shared/domain/errorText.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { readShipped } from '../../../runtime/shippedFile.ts';

/** Eight bits for each weight, their unit, and the score of a sentence without any of them. */
export interface LearnedWeights {
  bytes: Int8Array;
  scale: number;
  bias: number;
}

export const weightsFile = 'detector_weights.bin';
/** Scale and bias as 64-bit floats, little-endian, before the weights. */
export const weightsHead = 16;

/** Throws if the file is missing or isn't the one that was shipped. */
export function readWeights(folder: string): LearnedWeights {
  const file = readFile(folder);
  return {
    bytes: new Int8Array(file.buffer, file.byteOffset + weightsHead, file.length - weightsHead),
    scale: file.readDoubleLE(0),
    bias: file.readDoubleLE(8),
  };
}

function readFile(folder: string): Buffer {
  let cause = 'Its SHA-256 is not the one in checksums.json.';
  try {
    const file = readShipped(folder, weightsFile);
    if (file !== null) return file;
  } catch (error) {
    cause = errorCode(error) === 'ENOENT' ? 'It is missing.' : `${errorText(error)}.`;
  }
  throw new Error(
    `The detectors can't read their weights, ${weightsFile} in ${folder}. ${cause} Reinstall Touchstone.`,
  );
}

let shipped: LearnedWeights | null = null;

/** The weights that come with the program, read when the first text is examined. */
export const shippedWeights = (): LearnedWeights =>
  (shipped ??= readWeights(programFiles.datasets));
