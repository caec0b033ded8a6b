import { signalReasonWith, signalReasons } from '../../../../src-shared/display/signalTexts.ts';
import type { AttackCategory, Finding } from '../../../../src-shared/domain/security.ts';
import type { Severity } from '../../../../src-shared/domain/severity.ts';
import { mask, type Mask } from '../lexicon.ts';
import { findingAt, type Prepared, type Reading } from '../prepared.ts';
import { kindOfPlace } from './places.ts';
import type { ScoredSentence } from './features.ts';
import { scoreText, sentencesOf, type Scorer } from './score.ts';
import { spreadTexts } from './spread.ts';
import { raisedBy, reportedFrom, reportedWhere } from './thresholds.ts';

interface Sense {
  detector: string;
  category: AttackCategory;
  severity: Severity;
  why: string;
  all: readonly Mask[];
}

/** What a sentence would have the model do, the gravest first. */
const senses: readonly Sense[] = [
  {
    detector: 'exfiltration',
    category: 'tool_poisoning',
    severity: 'high',
    why: signalReasons.readsLikeLeak,
    all: [
      mask('SECRET', 'PATH', 'PRIVATE', 'LINK'),
      mask('SEND', 'PUT', 'READ', 'REVEAL', 'FIELD'),
    ],
  },
  {
    detector: 'exfiltration',
    category: 'tool_poisoning',
    severity: 'medium',
    why: signalReasons.readsLikeLeak,
    all: [mask('SECRET', 'PATH', 'PRIVATE', 'LINK')],
  },
  {
    detector: 'shadowing',
    category: 'shadowing',
    severity: 'medium',
    why: signalReasons.readsLikeShadowing,
    all: [mask('TOOL', 'OTHER', 'CALL', 'REPLACE')],
  },
  {
    detector: 'hidden_instruction',
    category: 'prompt_injection',
    severity: 'medium',
    why: signalReasons.readsLikeOrder,
    all: [],
  },
];

export const learnedRule = 'reads-like-order';

/** At most this many sentences of a passage are reported. */
const maxFindings = 3;

/**
 * Sentences that read like an attack, by the learned weights. Each is reported by one detector:
 * the one that looks for what the sentence would have the model do.
 */
export function readSense(detector: string, prepared: Prepared): Finding[] {
  return [
    ...prepared.readings.flatMap((reading) =>
      reportedSentences(reading, prepared)
        .slice(0, maxFindings)
        .flatMap((sentence) => {
          const sense = senseOf(reading, sentence);
          if (sense.detector !== detector) return [];
          const [start, end] = trimmed(reading.readable.text, sentence);
          const about = aboutSentence(sense, reading, sentence, prepared);
          return [findingAt(reading, start, end, about)];
        }),
    ),
    ...readSpread(detector, prepared),
  ];
}

function aboutSentence(
  { detector, category, severity, why }: Sense,
  reading: Reading,
  sentence: ScoredSentence,
  prepared: Prepared,
): Omit<Finding, 'place' | 'span' | 'text'> {
  const telling = tellingWords(reading, sentence, prepared);
  return {
    detector,
    rule: learnedRule,
    category,
    severity,
    why: telling.length === 0 ? why : signalReasonWith.judgedBy(why, telling),
  };
}

/** Sentences that were cut into the descriptions of several parameters, reported at the first one. */
function readSpread(detector: string, prepared: Prepared): Finding[] {
  return spreadTexts(prepared).flatMap(({ reading, parts }) =>
    reportedSentences(reading, prepared)
      .slice(0, maxFindings)
      .flatMap((sentence) => {
        const sense = senseOf(reading, sentence);
        const [start, end] = trimmed(reading.readable.text, sentence);
        const touched = parts.filter(
          (part) => part.start < end && part.start + part.reading.readable.text.length > start,
        );
        const [first, last] = [touched[0], touched.at(-1)];
        if (sense.detector !== detector || !first || !last || first === last) return [];
        const about = aboutSentence(sense, reading, sentence, prepared);
        const why = signalReasonWith.spread(about.why, last.reading.passage.place);
        const from = Math.max(0, start - first.start);
        const to = first.reading.readable.text.length;
        return [findingAt(first.reading, from, to, { ...about, why })];
      }),
  );
}

/** Most texts have no sentence that scores high anywhere; theirs are looked at once. */
const lowest = Math.min(reportedWhere.encoded, reportedWhere.commented, reportedFrom);
const none: readonly ScoredSentence[] = [];

/** Comments of HTML and Markdown, which are not shown to people. */
function commentsIn(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', start + 1)) {
    const closed = text.indexOf('-->', start);
    const end = closed < 0 ? text.length : closed;
    found.push({ start, end });
    start = end;
  }
  return found;
}

function reportedSentences(reading: Reading, prepared: Prepared): readonly ScoredSentence[] {
  const scored = sentencesOf(reading, prepared);
  if (!scored.some(({ score }) => score >= lowest)) return none;
  const { readable } = reading;
  const from = prepared.encoded ? reportedWhere.encoded : reportedFrom + raisedBy(scored.length);
  const comments = commentsIn(readable.text);
  return scored.filter(
    ({ score, start, end }) =>
      score >= from ||
      (score >= reportedWhere.commented &&
        comments.some((comment) => start < comment.end && end > comment.start)),
  );
}

function senseOf({ words }: Reading, { start, end }: ScoredSentence) {
  let lo = 0;
  let hi = 0;
  for (let index = 0; index < words.count; index += 1) {
    const at = words.start[index] ?? 0;
    if (at < start) continue;
    if (at >= end) break;
    lo |= words.lo[index] ?? 0;
    hi |= words.hi[index] ?? 0;
  }
  const sense = senses.find(({ all }) =>
    all.every((wanted) => (lo & wanted.lo) !== 0 || (hi & wanted.hi) !== 0),
  );
  if (!sense) throw new Error('The last sense fits every sentence.');
  return sense;
}

function trimmed(text: string, { start, end }: ScoredSentence): [number, number] {
  const part = text.slice(start, end);
  return [start + part.length - part.trimStart().length, start + part.trimEnd().length];
}

const maxWords = 60;
const shownWords = 3;

/** The words without which the sentence would score the least, most telling first. */
function tellingWords(reading: Reading, sentence: ScoredSentence, scorer: Scorer): string[] {
  const text = reading.readable.text.slice(sentence.start, sentence.end);
  const kind = kindOfPlace(reading.passage.place);
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length < 4 || words.length > maxWords) return [];
  return words
    .map((word, index) => {
      const rest = words.filter((_, other) => other !== index).join(' ');
      const [without] = scoreText(rest, kind, scorer);
      return { word, drop: sentence.score - (without?.score ?? 0) };
    })
    .filter(({ drop, word }) => drop > 0 && /\p{L}{3}/u.test(word))
    .sort((a, b) => b.drop - a.drop)
    .slice(0, shownWords)
    .map(({ word }) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
}
