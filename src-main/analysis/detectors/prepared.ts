import type { Finding } from '../../../src-shared/domain/security.ts';
import { originalSpan, readableOf, type Readable } from './readable.ts';
import { namesOf } from './learned/names.ts';
import type { Names, ScoredSentence } from './learned/features.ts';
import { shippedWeights, type LearnedWeights } from './learned/weights.ts';
import { scanWords } from './scanWords.ts';
import { passagesOf, type Passage, type Subject } from './subject.ts';
import type { Words } from './words.ts';

/** A passage, prepared once for all detectors. */
export interface Reading {
  passage: Passage;
  readable: Readable;
  words: Words;
  /** What the learned weights say about its sentences; null until a detector asks. */
  sentences: readonly ScoredSentence[] | null;
}

/** Descriptions of neighboring parameters, read as one text. */
export interface SpreadText {
  reading: Reading;
  parts: readonly { reading: Reading; start: number }[];
}

export interface Prepared {
  subject: Subject;
  readings: Reading[];
  names: Names;
  weights: LearnedWeights;
  /** Neighboring parameters as one text; null until a detector asks. */
  spread: readonly SpreadText[] | null;
  /** Whether the texts were decoded, so that nobody reads them by accident. */
  encoded: boolean;
}

/** A pure function of what a server published. */
export type Detect = (prepared: Prepared) => Finding[];

export function readPassage(passage: Passage): Reading {
  const readable = readableOf(passage.text);
  return { passage, readable, words: scanWords(readable.text), sentences: null };
}

const parametersOf = (readings: readonly Reading[]): string[] =>
  readings
    .filter(({ passage }) => passage.kind === 'key' && passage.place.startsWith('/inputSchema'))
    .map(({ passage }) => passage.text);

export function prepare(subject: Subject, weights = shippedWeights()): Prepared {
  const readings = passagesOf(subject).map(readPassage);
  const names = namesOf(subject, parametersOf(readings));
  return { subject, readings, names, weights, spread: null, encoded: false };
}

const shownLength = 300;

/** A finding whose span is given in the readable text. */
export function findingAt(
  { passage, readable }: Reading,
  start: number,
  end: number,
  about: Omit<Finding, 'place' | 'span' | 'text'>,
): Finding {
  const span = originalSpan(readable, start, end);
  return {
    ...about,
    place: passage.place,
    span,
    text: passage.text.slice(span[0], Math.min(span[1], span[0] + shownLength)),
  };
}
