import { bias, scale, weightsBase64 } from './weights.ts';

/** Eight bits for each weight, their unit, and the score of a sentence without any of them. */
export interface LearnedWeights {
  bytes: Int8Array;
  scale: number;
  bias: number;
}

export const shippedWeights: LearnedWeights = {
  bytes: new Int8Array(Buffer.from(weightsBase64, 'base64')),
  scale,
  bias,
};
