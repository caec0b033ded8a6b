import { signalReasons, signalReasonWith } from '../../../src-shared/display/signalTexts.ts';
import type { Finding } from '../../../src-shared/domain/security.ts';
import type { Severity } from '../../../src-shared/domain/severity.ts';
import { codePointAt } from '../codePointAt.ts';
import {
  hasCyrillicOrKin,
  isBidiControl,
  isCyrillicOrKin,
  isDirectionMark,
  isIdeographicOrKana,
  isInvisible,
  isJoiningScript,
  isPicture,
  isPlain,
  isPrivateUse,
  isRightToLeft,
  isTag,
  isVariationSelector,
  latinLookalike,
  nameOf,
} from './characters.ts';
import type { Detect, Reading } from './prepared.ts';

const detector = 'invisible_characters';
const maxInOnePassage = 20;

interface Seen {
  rule: string;
  severity: Severity;
  why: string;
}

/**
 * What is wrong with an invisible character in its context, or null if it belongs to the spelling
 * of a script or to an emoji.
 */
function judge(
  code: number,
  before: number,
  after: number,
  textHasRightToLeft: boolean,
  index: number,
): Seen | null {
  if (isBidiControl(code))
    return {
      rule: 'bidi',
      severity: 'high',
      why: signalReasonWith.reordersText(nameOf(code)),
    };
  if (isDirectionMark(code))
    return textHasRightToLeft
      ? null
      : {
          rule: 'bidi',
          severity: 'medium',
          why: signalReasonWith.directionMark(nameOf(code)),
        };
  if (code === 0x200d || code === 0x200c) {
    if (isJoiningScript(before) || isJoiningScript(after)) return null;
    if (
      code === 0x200d &&
      (isPicture(before) || before === 0xfe0f || (before >= 0x1f3fb && before <= 0x1f3ff)) &&
      isPicture(after)
    )
      return null;
  }
  if (code === 0xfeff && index === 0)
    return {
      rule: 'byte-order-mark',
      severity: 'low',
      why: signalReasons.byteOrderMark,
    };
  return {
    rule: 'zero-width',
    severity: 'high',
    why: signalReasonWith.invisible(nameOf(code)),
  };
}

interface Walk {
  reading: Reading;
  /** The characters of the text, and where each begins; the last offset is the end. */
  codes: readonly number[];
  offsets: readonly number[];
}

/** Decodes a run of tag characters or variation selectors, where each encodes one byte. */
function hiddenText(codes: readonly number[]): string {
  const text = codes
    .map((code) =>
      isTag(code) ? code - 0xe0000 : code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00,
    )
    .map((code) => (code >= 32 && code < 127 ? String.fromCharCode(code) : ''))
    .join('');
  return text.trim() === '' ? '' : text.slice(0, 200);
}

function inRuns({ reading, codes, offsets }: Walk): Finding[] {
  const found: Finding[] = [];
  const { passage } = reading;
  const rightToLeft = codes.some(isRightToLeft);
  for (let index = 0; index < codes.length && found.length < maxInOnePassage; index += 1) {
    const code = codes[index] ?? 0;
    const kind = isTag(code) ? isTag : isVariationSelector(code) ? isVariationSelector : null;
    if (
      !kind &&
      !isInvisible(code) &&
      !(code < 32 && code !== 9 && code !== 10 && code !== 13) &&
      !(code >= 0x7f && code <= 0x9f)
    )
      continue;
    const before = codes[index - 1] ?? 0;
    let last = index;
    if (kind) while (kind(codes[last + 1] ?? 0)) last += 1;
    const run = codes.slice(index, last + 1);
    const seen =
      kind === isTag
        ? judgeTags(run, before)
        : kind
          ? judgeSelectors(run, before)
          : isInvisible(code)
            ? judge(code, before, codes[index + 1] ?? 0, rightToLeft, index)
            : controls(code);
    const at = offsets[index] ?? 0;
    const end = offsets[last + 1] ?? passage.text.length;
    if (seen)
      found.push({
        detector,
        category: 'tool_poisoning',
        place: passage.place,
        span: [at, end],
        text: passage.text.slice(at, Math.min(end, at + 300)),
        ...seen,
      });
    index = last;
  }
  return found;
}

/** A short run is an icon or two; a long one that reads as text carries one. */
const shortestCarrier = 8;

/**
 * Runs of private-use characters whose low seven bits are printable text with letters: text that
 * no font shows as such, and a program or a model can read.
 */
function inPrivateUse({ reading: { passage }, codes, offsets }: Walk): Finding[] {
  const found: Finding[] = [];
  for (let start = 0; start < codes.length && found.length < maxInOnePassage; start += 1) {
    let end = start;
    while (isPrivateUse(codes[end] ?? 0)) end += 1;
    if (end - start >= shortestCarrier) {
      const hidden = codes
        .slice(start, end)
        .map((code) => String.fromCharCode(code & 0x7f))
        .join('');
      const span: [number, number] = [offsets[start] ?? 0, offsets[end] ?? passage.text.length];
      if (/^[ -~\n\r\t]+$/.test(hidden) && /[A-Za-z]{3}/.test(hidden))
        found.push({
          detector,
          rule: 'private-use',
          category: 'tool_poisoning',
          severity: 'critical',
          place: passage.place,
          span,
          text: passage.text.slice(span[0], Math.min(span[1], span[0] + 300)),
          why: signalReasonWith.privateUse(hidden.slice(0, 200)),
        });
    }
    if (end > start) start = end;
  }
  return found;
}

const controls = (code: number): Seen => ({
  rule: 'control',
  severity: code === 27 ? 'high' : 'medium',
  why: signalReasonWith.control(nameOf(code), code === 27),
});

function judgeTags(codes: readonly number[], before: number): Seen | null {
  const flag = before === 0x1f3f4 && codes.length <= 8 && codes.at(-1) === 0xe007f;
  return flag
    ? null
    : {
        rule: 'tags',
        severity: 'critical',
        why: signalReasonWith.tagCharacters(hiddenText(codes)),
      };
}

function judgeSelectors(codes: readonly number[], before: number): Seen | null {
  if (codes.length === 1) {
    const [code = 0] = codes;
    if (
      code >= 0xe0100
        ? isIdeographicOrKana(before)
        : isPicture(before) || isIdeographicOrKana(before) || (before >= 0x2000 && before <= 0x2fff)
    )
      return null;
  }
  return {
    rule: 'variation-selectors',
    severity: codes.length > 1 ? 'critical' : 'medium',
    why: signalReasonWith.variationSelectors(hiddenText(codes)),
  };
}

const isLatin = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isCapital = (code: number) => code >= 65 && code <= 90;

/**
 * Words that mix alphabets to look like other words. An acronym with an ending (“APIшный”) and a
 * unit (“kΩ”) don't count.
 */
function inMixedWords({ reading, codes, offsets }: Walk): Finding[] {
  const { passage } = reading;
  if (!hasCyrillicOrKin(passage.text)) return [];
  const found: Finding[] = [];
  for (let start = 0; start < codes.length && found.length < maxInOnePassage; start += 1) {
    let end = start;
    let latin = 0;
    let alike = 0;
    let foreign = 0;
    let turns = 0;
    let capitals = 0;
    for (; end < codes.length; end += 1) {
      const code = codes[end] ?? 0;
      const isOther = isCyrillicOrKin(code);
      if (!isLatin(code) && !isOther) break;
      if (isOther) {
        foreign += 1;
        if (latinLookalike(code) !== null) alike += 1;
      } else {
        latin += 1;
        if (isCapital(code)) capitals += 1;
      }
      if (end > start && isOther !== isCyrillicOrKin(codes[end - 1] ?? 0)) turns += 1;
    }
    const length = end - start;
    const acronym = turns === 1 && capitals === latin && latin > 1;
    const disguisedName =
      passage.kind === 'name' && foreign > 1 && alike === foreign && latin === 0;
    if (
      disguisedName ||
      (length >= 3 && latin > 0 && alike > 0 && alike === foreign && !acronym) ||
      (latin > 0 && turns > 1 && foreign > 0 && alike > 0)
    ) {
      const from = offsets[start] ?? 0;
      const to = offsets[end] ?? passage.text.length;
      found.push({
        detector,
        rule: 'mixed-alphabets',
        category: passage.kind === 'name' ? 'shadowing' : 'tool_poisoning',
        severity: 'high',
        place: passage.place,
        span: [from, to],
        text: passage.text.slice(from, to),
        why: signalReasons.lookAlikeLetters,
      });
    }
    if (end > start) start = end;
  }
  return found;
}

function inStyledLetters({ reading: { passage }, codes, offsets }: Walk): Finding[] {
  const eastAsian = codes.some(isIdeographicOrKana);
  const styled = (code: number) =>
    (code >= 0x1d400 && code <= 0x1d7ff) ||
    (!eastAsian && ((code >= 0xff21 && code <= 0xff3a) || (code >= 0xff41 && code <= 0xff5a)));
  for (let start = 0; start < codes.length; start += 1) {
    let end = start;
    while (styled(codes[end] ?? 0)) end += 1;
    if (end - start >= 3) {
      const span: [number, number] = [offsets[start] ?? 0, offsets[end] ?? passage.text.length];
      return [
        {
          detector,
          rule: 'styled-letters',
          category: 'tool_poisoning',
          severity: 'medium',
          place: passage.place,
          span,
          text: passage.text.slice(...span),
          why: signalReasons.styledLetters,
        },
      ];
    }
    start = end;
  }
  return [];
}

/** The first halves of the characters beyond U+F0000 are these surrogates. */
const privateUse = /[\ue000-\uf8ff\udb80-\udbff]/;
const controlCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/**
 * Whether a text may contain any of them: most have nothing that a model would read as something
 * else. A name may also be written in another alphabet throughout.
 */
const isSuspect = ({ passage: { kind, text }, readable }: Reading): boolean =>
  readable.origin !== null ||
  (!isPlain(text) && (kind === 'name' || controlCharacters.test(text) || privateUse.test(text)));

/**
 * Invisible or deceptive characters (docs/rules.md §9): zero width, bidirectional controls, tags,
 * variation selectors, private-use characters that carry text, control characters, words that mix alphabets, styled letters. What belongs
 * to the spelling of a script or to an emoji doesn't count. Example: tag characters after "Shows a
 * calendar". Not: "🏳️‍🌈", Persian with its half-spaces, "kΩ".
 */
export const detectInvisibleCharacters: Detect = ({ readings }) =>
  readings.flatMap((reading) => {
    if (!isSuspect(reading)) return [];
    const { text } = reading.passage;
    const codes: number[] = [];
    const offsets = [0];
    for (let at = 0; at < text.length;) {
      const code = codePointAt(text, at);
      at += code > 0xffff ? 2 : 1;
      codes.push(code);
      offsets.push(at);
    }
    const walk = { reading, codes, offsets };
    return [
      ...inRuns(walk),
      ...inPrivateUse(walk),
      ...inMixedWords(walk),
      ...inStyledLetters(walk),
    ];
  });
