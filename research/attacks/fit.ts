import { buckets } from '../../src-main/analysis/detectors/learned/features.ts';
import {
  weightsHead,
  type LearnedWeights,
} from '../../src-main/analysis/detectors/learned/weights.ts';
import { Choices } from './random.ts';

/** One sentence: its features, and its text, by which repeated sentences are counted once. */
export interface Sentence {
  text: string;
  features: Int32Array;
}

/** Sentences of one entry of which the highest score counts. */
export interface Bag {
  weight: number;
  sentences: Sentence[];
}

export interface TrainingData {
  honest: Bag[];
  attacks: Bag[];
}

const rate = 0.15;
const decay = 3e-3;
const epochs = 15;

/**
 * Logistic regression by stochastic gradient descent (AdaGrad) over hashed features, seeded: the
 * same data gives the same weights on every machine. Which sentence of an attack is the order isn't
 * known, so the one with the highest score is taken. The largest weight becomes 127.
 */
export function fit({ honest, attacks }: TrainingData): LearnedWeights {
  const weights = new Float64Array(buckets);
  const squares = new Float64Array(buckets).fill(1e-3);
  let bias = 0;
  let biasSquare = 1e-3;

  const scoreOf = ({ features }: Sentence): number => {
    let sum = 0;
    for (let at = 0; at < features.length; at += 1) sum += weights[features[at] ?? 0] ?? 0;
    return bias + sum / Math.sqrt(features.length);
  };
  const step = (sentence: Sentence, target: number, weight: number): void => {
    const { features } = sentence;
    const error = (target - 1 / (1 + Math.exp(-scoreOf(sentence)))) * weight;
    const share = error / Math.sqrt(features.length);
    for (let at = 0; at < features.length; at += 1) {
      const feature = features[at] ?? 0;
      const old = weights[feature] ?? 0;
      const gradient = share - decay * old;
      const square = (squares[feature] ?? 0) + gradient * gradient;
      squares[feature] = square;
      weights[feature] = old + (rate * gradient) / Math.sqrt(square);
    }
    biasSquare += error * error;
    bias += (rate * error) / Math.sqrt(biasSquare);
  };

  const samples = [
    ...honest.map((bag) => ({ ...bag, target: 0 })),
    ...attacks.map((bag) => ({ ...bag, target: 1 })),
  ];
  const order = shuffled(samples.length);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (const index of order) {
      const sample = samples[index];
      if (sample === undefined) continue;
      const best = sample.sentences.reduce((top, each) =>
        scoreOf(each) > scoreOf(top) ? each : top,
      );
      step(best, sample.target, sample.weight);
    }
  }
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const scale = largest / 127;
  return { bytes: Int8Array.from(weights, (weight) => Math.round(weight / scale)), scale, bias };
}

function shuffled(length: number): number[] {
  const choices = new Choices('training order');
  const order = Array.from({ length }, (_, index) => index);
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = choices.integer(index + 1);
    [order[index], order[other]] = [order[other] ?? 0, order[index] ?? 0];
  }
  return order;
}

/** The file of weights that the detectors read. */
export function weightsBytes({ bytes, scale, bias }: LearnedWeights): Buffer {
  const head = Buffer.alloc(weightsHead);
  head.writeDoubleLE(scale, 0);
  head.writeDoubleLE(bias, 8);
  return Buffer.concat([head, new Uint8Array(bytes)]);
}
