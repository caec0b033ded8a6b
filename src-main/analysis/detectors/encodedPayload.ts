import { signalReasonWith } from '../../../src-shared/display/signalTexts.ts';
import type { Finding } from '../../../src-shared/domain/security.ts';
import { detectDangerousCommand } from './dangerousCommand.ts';
import { decodingsOf, type Decoded } from './decodings.ts';
import { detectExfiltration } from './exfiltration.ts';
import { detectHiddenInstruction } from './hiddenInstruction.ts';
import { findingAt, readPassage, type Detect, type Prepared, type Reading } from './prepared.ts';
import { detectShadowing } from './shadowing.ts';

const detector = 'encoded_payload';
/** Longer decoded texts are quoted only where they match. */
const maxQuoted = 200;
const others: readonly Detect[] = [
  detectHiddenInstruction,
  detectExfiltration,
  detectDangerousCommand,
  detectShadowing,
];

/**
 * Number of positions in which two texts of equal length differ: a text that reads the same without
 * decoding isn't encoded.
 */
function differences(a: string, b: string): number {
  let count = 0;
  for (let index = 0; index < Math.min(a.length, b.length); index += 1)
    if (a.charCodeAt(index) !== b.charCodeAt(index)) count += 1;
  return count;
}

function reexamine(reading: Reading, decoded: Decoded, prepared: Prepared): Finding[] {
  const inner: Prepared = {
    ...prepared,
    readings: [readPassage({ place: reading.passage.place, kind: 'text', text: decoded.text })],
  };
  for (const detect of others) {
    const matchesAt = (given: Prepared) =>
      detect(given).filter(
        ({ severity, place }) => severity !== 'low' && place === reading.passage.place,
      );
    // A text whose plain words match needs no decoding: “id_ed25519” is not “id_ed2ssi9”.
    if (decoded.aligned && matchesAt({ ...prepared, readings: [reading] }).length > 0) continue;
    const [first] = matchesAt(inner);
    if (
      !first ||
      (decoded.aligned &&
        differences(
          reading.readable.text.slice(decoded.start + first.span[0], decoded.start + first.span[1]),
          first.text,
        ) < 3)
    )
      continue;
    const why = signalReasonWith.decoded(
      decoded.how,
      decoded.text.length <= maxQuoted ? decoded.text : first.text,
      first.why,
    );
    return [
      findingAt(reading, decoded.start, decoded.end, {
        detector,
        rule: `decoded-${first.rule}`,
        category: first.category,
        severity: 'critical',
        why,
      }),
    ];
  }
  return [];
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
