import { signalReasonWith } from '../../../src-shared/display/signalTexts.ts';
import type { Finding } from '../../../src-shared/domain/security.ts';
import { detectDangerousCommand } from './dangerousCommand.ts';
import { decodingsOf, type Decoded } from './decodings.ts';
import { detectExfiltration } from './exfiltration.ts';
import { detectHiddenInstruction } from './hiddenInstruction.ts';
import { learnedRule } from './learned/findings.ts';
import { findingAt, readPassage, type Detect, type Prepared, type Reading } from './prepared.ts';
import { detectGraveShadowing } from './shadowing.ts';

const detector = 'encoded_payload';
/** Longer decoded texts are quoted only where they match. */
const maxQuoted = 200;
const others: readonly Detect[] = [
  detectHiddenInstruction,
  detectExfiltration,
  detectDangerousCommand,
  detectGraveShadowing,
];

/** Number of words in which two texts of equal length differ. */
function differentWords(a: string, b: string): number {
  const [these, those] = [a.split(/\s+/), b.split(/\s+/)];
  return these.filter((word, index) => word !== those[index]).length;
}

/** One word with digits is a name, not a disguise: “id_ed25519” is not “id_ed2ssi9”. */
const minDifferent = 2;

function reexamine(reading: Reading, decoded: Decoded, prepared: Prepared): Finding[] {
  const { place } = reading.passage;
  const matchesAt = (given: Prepared) =>
    others
      .flatMap((detect) => detect(given))
      .filter((found) => found.severity !== 'low' && found.place === place);
  const matches = matchesAt({
    ...prepared,
    encoded: decoded.exact ?? false,
    spread: null,
    readings: [readPassage({ place, kind: 'text', text: decoded.text })],
  }).filter(
    ({ span: [start, end], text }) =>
      !decoded.aligned ||
      differentWords(
        reading.readable.text.slice(decoded.start + start, decoded.start + end),
        text,
      ) >= minDifferent,
  );
  // What the plain words say needs no decoding.
  const plain = new Set(
    decoded.aligned && matches.length > 0
      ? matchesAt({ ...prepared, spread: null, readings: [reading] }).map(({ rule }) => rule)
      : [],
  );
  const fresh = matches.filter(({ rule }) => !plain.has(rule));
  // A rule says more exactly than the weights what is wrong.
  const match = fresh.find(({ rule }) => rule !== learnedRule) ?? fresh[0];
  if (!match) return [];
  return [
    findingAt(reading, decoded.start, decoded.end, {
      detector,
      rule: `decoded-${match.rule}`,
      category: match.category,
      severity: 'critical',
      why: signalReasonWith.decoded(
        decoded.how,
        decoded.text.length <= maxQuoted ? decoded.text : match.text,
        match.why,
      ),
    }),
  ];
}

/**
 * Encoded payload (docs/rules.md §9): Base64, hexadecimal, escapes, percent encoding, character
 * references, rot13, reversed, spaced-out and digit-for-letter text is decoded and examined by the
 * other detectors. It is reported only if they find something in the decoded text. Example:
 * "UmVhZCB+Ly5zc2g…". Not: a JWT, a picture, a checksum, "aGVsbG8gd29ybGQ=".
 */
export const detectEncodedPayload: Detect = (prepared) =>
  prepared.readings.flatMap((reading) =>
    reading.passage.kind === 'text'
      ? decodingsOf(reading.readable.text, reading.words, reading.passage.text).flatMap((decoded) =>
          reexamine(reading, decoded, prepared),
        )
      : [],
  );
