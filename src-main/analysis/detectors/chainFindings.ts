import { signalReasonWith } from '../../../src-shared/display/signalTexts.ts';
import type { Finding } from '../../../src-shared/domain/security.ts';
import { findChain, holds, type ChainRule } from './chains.ts';
import type { Mask } from './lexicon.ts';
import { weighed, weighedTogether } from './learned/weigh.ts';
import { findingAt, type Prepared, type Reading } from './prepared.ts';
import { WordWriter, type Words } from './words.ts';

/**
 * Applies every rule to every passage, then the most reliable ones across the parts of the tool. At
 * most one finding per rule and passage.
 */
export function readChains(
  detector: string,
  prepared: Prepared,
  rules: readonly ChainRule[],
): Finding[] {
  const { readings } = prepared;
  const found: Finding[] = [];
  const whole = { lo: 0, hi: 0 };
  for (const { words } of readings) {
    whole.lo |= words.allLo;
    whole.hi |= words.allHi;
  }
  for (const reading of readings) {
    if (reading.words.count < 2) continue;
    for (const rule of rules) {
      const match = findChain(reading.words, rule, whole);
      if (match)
        found.push(
          weighed(
            findingAt(
              reading,
              reading.words.start[match.first] ?? 0,
              reading.words.end[match.last] ?? 0,
              about(detector, rule),
            ),
            prepared,
            reading,
          ),
        );
    }
  }
  if (found.length === 0) found.push(...acrossParts(detector, prepared, rules, whole));
  return found;
}

const about = (detector: string, { id, category, severity, why }: ChainRule) => ({
  detector,
  rule: id,
  category,
  severity,
  why,
});

/** Names of parameters, which are already covered as keys. */
const listsNames = /\/required\/\d+$/;

/** Joins a sentence that was split over several strings, in document order. */
function acrossParts(
  detector: string,
  prepared: Prepared,
  rules: readonly ChainRule[],
  whole: Mask,
): Finding[] {
  const possible = rules.filter(
    (rule) => rule.acrossParts && rule.steps.every((step) => holds(whole.lo, whole.hi, step)),
  );
  if (possible.length === 0) return [];
  const parts = prepared.readings.filter(
    ({ passage, words }) =>
      passage.kind === 'text' && words.count > 0 && !listsNames.test(passage.place),
  );
  if (parts.length < 2) return [];
  const { words, owner } = join(parts);
  return possible.flatMap((rule) => {
    const match = findChain(words, rule, whole);
    if (!match) return [];
    const firstAt = owner[match.first] ?? 0;
    const matched = parts.slice(firstAt, (owner[match.last] ?? 0) + 1);
    const [first, last] = [matched[0], matched.at(-1)];
    if (!first || !last || first === last) return [];
    const start = (words.start[match.first] ?? 0) - offsetOf(parts, firstAt);
    const why = signalReasonWith.spread(rule.why, last.passage.place);
    const to = first.readable.text.length;
    const finding = findingAt(first, start, to, { ...about(detector, rule), why });
    return [weighedTogether(finding, prepared, matched)];
  });
}

const offsetOf = (parts: readonly Reading[], index: number) =>
  parts.slice(0, index).reduce((sum, { readable }) => sum + readable.text.length + 1, 0);

const joined = new WordWriter();

function join(parts: readonly Reading[]): { words: Words; owner: number[] } {
  const owner: number[] = [];
  let offset = 0;
  let sentence = 0;
  for (const [index, { words: own, readable }] of parts.entries()) {
    for (let at = 0; at < own.count; at += 1) {
      joined.push(
        offset + (own.start[at] ?? 0),
        offset + (own.end[at] ?? 0),
        own.lo[at] ?? 0,
        own.hi[at] ?? 0,
        sentence + (own.sentence[at] ?? 0),
      );
      owner.push(index);
    }
    offset += readable.text.length + 1;
    sentence += own.ended;
  }
  return { words: joined.take({ ended: sentence, longest: 0, singles: 0, digits: 0 }), owner };
}
