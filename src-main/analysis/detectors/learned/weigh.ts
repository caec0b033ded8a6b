import type { Finding } from '../../../../src-shared/domain/security.ts';
import type { Prepared, Reading } from '../prepared.ts';
import type { ScoredSentence } from './features.ts';
import { kindOfPlace } from './places.ts';
import { scoreText, sentencesOf } from './score.ts';
import { plausible, raisedBy } from './thresholds.ts';

/**
 * What is kept from the user is said in few words, which say little; the sentences around them say
 * what it is.
 */
const judgedByAllSentences = new Set([
  'conceal-from-user',
  'user-kept-unaware-reversed',
  'secret-from-user',
]);

/**
 * What a rule found, as a remark if the rule also finds it in honest tools and every sentence that it
 * touches reads like one: words of several honest sentences can add up to the shape of an order.
 */
export function weighed(finding: Finding, prepared: Prepared, reading: Reading): Finding {
  if (reading.passage.kind !== 'text') return finding;
  const sentences = sentencesOf(reading, prepared);
  const raised = raisedBy(sentences.length);
  if (judgedByAllSentences.has(finding.rule))
    return unlessHonest(finding, sentences, raised + plausible[finding.severity]);
  const [start, end] = finding.span;
  const { origin } = reading.readable;
  // Spans refer to the original text, sentences to what a model reads.
  const at = (offset: number) => (origin ? (origin[offset] ?? 0) : offset);
  const touched = sentences.filter(
    (sentence) => at(sentence.start) < end && at(sentence.end) > start,
  );
  const isSpread = touched.length > 1 && finding.severity !== 'critical';
  const support = isSpread ? plausible.spread : plausible[finding.severity];
  return unlessHonest(finding, touched, raised + support);
}

/** What a rule found in several parts of a tool, judged by what they say when they are joined. */
export function weighedTogether(
  finding: Finding,
  prepared: Prepared,
  parts: readonly Reading[],
): Finding {
  const text = parts.map(({ readable }) => readable.text).join(' ');
  const sentences = scoreText(text, kindOfPlace(finding.place), prepared);
  return unlessHonest(finding, sentences, plausible.critical);
}

const unlessHonest = (
  finding: Finding,
  sentences: readonly ScoredSentence[],
  needed: number,
): Finding =>
  sentences.some(({ score }) => score >= needed) ? finding : { ...finding, severity: 'low' };
