import type { Finding } from '../../../../src-shared/domain/security.ts';
import type { Prepared, Reading } from '../prepared.ts';
import { sentencesOf } from './score.ts';
import { plausible, raisedBy } from './thresholds.ts';

/**
 * Exact enough to stand on their own: what is kept from the user is said in few words, which the
 * weights judge poorly, and the rules raise no alarm on the known honest tools.
 */
const certain = new Set(['conceal-from-user', 'user-kept-unaware-reversed', 'secret-from-user']);

/**
 * What a rule found, as a remark if the rule also finds it in honest tools and every sentence that it
 * touches reads like one: words of several honest sentences can add up to the shape of an order.
 */
export function weighed(finding: Finding, prepared: Prepared, reading: Reading): Finding {
  if (reading.passage.kind !== 'text' || certain.has(finding.rule)) return finding;
  const [start, end] = finding.span;
  const { origin } = reading.readable;
  // Spans refer to the original text, sentences to what a model reads.
  const at = (offset: number) => (origin ? (origin[offset] ?? 0) : offset);
  const sentences = sentencesOf(reading, prepared);
  const touched = sentences.filter(
    (sentence) => at(sentence.start) < end && at(sentence.end) > start,
  );
  const needed =
    raisedBy(sentences.length) +
    (touched.length > 1 && finding.severity !== 'critical'
      ? plausible.spread
      : plausible[finding.severity]);
  const likely = touched.some(({ score }) => score >= needed);
  return likely ? finding : { ...finding, severity: 'low' };
}
