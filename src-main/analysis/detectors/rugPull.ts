import { signalReasons, signalReasonWith } from '../../../src-shared/display/signalTexts.ts';
import type { Finding } from '../../../src-shared/domain/security.ts';
import type { Severity } from '../../../src-shared/domain/severity.ts';
import { readChains } from './chainFindings.ts';
import { chainRule } from './chains.ts';
import { detectDangerousCommand } from './dangerousCommand.ts';
import { detectEncodedPayload } from './encodedPayload.ts';
import { detectExfiltration } from './exfiltration.ts';
import { detectHiddenInstruction } from './hiddenInstruction.ts';
import { detectInvisibleCharacters } from './invisibleCharacters.ts';
import { kindOfPlace } from './learned/places.ts';
import { learnedRule } from './learned/findings.ts';
import { scoreText } from './learned/score.ts';
import { reportedWhere } from './learned/thresholds.ts';
import { mask } from './lexicon.ts';
import { findingAt, prepare, type Detect, type Prepared, type Reading } from './prepared.ts';
import { detectGraveShadowing } from './shadowing.ts';
import { passagesOf, type Subject } from './subject.ts';

const detector = 'rug_pull';
const others: readonly Detect[] = [
  detectHiddenInstruction,
  detectExfiltration,
  detectGraveShadowing,
  detectInvisibleCharacters,
  detectEncodedPayload,
  detectDangerousCommand,
];
const announcedChange = signalReasons.changesAfterTrust;

const delayed = [
  chainRule('rug_pull', 'delayed', announcedChange, {
    steps: [['WHEN'], ['LATER'], ['BEGIN', 'SENDS', 'DESTROY']],
    gap: 60,
    plus: [['SEND', 'SENDS', 'RUN', 'SECRET', 'READ', 'DESTROY', 'COVERT', 'PRIVATE']],
  }),
  chainRule('rug_pull', 'harmless-until', announcedChange, {
    steps: [
      ['LATER'],
      ['WHEN', 'LATER', 'YOU', 'USER', 'BEGIN', 'GONE'],
      ['BEGIN', 'SENDS', 'DESTROY'],
    ],
    gap: 60,
    plus: [['SEND', 'SENDS', 'RUN', 'SECRET', 'READ', 'COVERT', 'PRIVATE', 'DESTROY'], ['BEGIN']],
  }),
  chainRule('rug_pull', 'swap-after-review', announcedChange, {
    steps: [['REPLACE', 'BEGIN'], ['LATER'], ['READ', 'SEND', 'RUN', 'COVERT', 'SECRET']],
    gap: 50,
  }),
  chainRule('rug_pull', 'from-nth-call', announcedChange, {
    steps: [['LATER', 'WHEN'], ['CALL'], ['SENDS', 'BEGIN']],
    gap: 24,
    plus: [['FILE', 'SECRET', 'PRIVATE', 'LINK'], ['BEGIN', 'SENDS'], ['LATER']],
  }),
];

const freshSecrets = mask('SECRET', 'PATH', 'SECRETLIKE');
const newActions = mask('SEND', 'SENDS', 'COVERT', 'LINK', 'RUN', 'DESTROY');
const outward = mask('SEND', 'SENDS', 'LINK');
const privateData = mask('PRIVATE', 'WHOLE', 'USER');

function earlierSubject({ subject }: Prepared): Subject {
  const { skill: _skill, item: _item, previous, ...others } = subject;
  return {
    ...others,
    ...(previous?.skill && { skill: previous.skill }),
    ...(previous?.item && { item: previous.item }),
    title: null,
    annotations: null,
    instructions: null,
    outputSchema: null,
    description: previous?.description ?? '',
    inputSchema: previous?.schema ?? {},
    previous: null,
  };
}

/** A place that stays the same when another file is added before the file of a skill. */
function partOf({ skill }: Subject, place: string): string {
  const [, index] = /^\/skill\/files\/(\d+)\//.exec(place) ?? [];
  return index === undefined ? place : `/skill/files/${skill?.files[Number(index)]?.path ?? ''}`;
}

/** What is new in a passage: the part between the longest common prefix and suffix. */
function changedPart(before: string, after: string): [number, number] {
  let start = 0;
  while (
    start < before.length &&
    start < after.length &&
    before.charCodeAt(start) === after.charCodeAt(start)
  )
    start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end += 1;
  return [start, after.length - end];
}

function judgeChange(fresh: Reading, scorer: Prepared): { severity: Severity; why: string } {
  const { words, readable, passage } = fresh;
  const has = (wanted: { lo: number; hi: number }) =>
    (words.allLo & wanted.lo) !== 0 || (words.allHi & wanted.hi) !== 0;
  const noted = (words.allLo & mask('MENTION', 'ASK').lo) !== 0;
  if (!noted && has(freshSecrets) && (has(newActions) || has(mask('WHOLE', 'PUT', 'FIELD'))))
    return {
      severity: 'high',
      why: signalReasons.nowNamesSecrets,
    };
  if (!noted && has(outward) && has(mask('WHOLE')) && has(privateData))
    return { severity: 'high', why: signalReasons.nowSendsMore };
  const scored = scoreText(readable.text, kindOfPlace(passage.place), scorer);
  if (scored.some(({ score }) => score >= reportedWhere.new))
    return { severity: 'medium', why: signalReasons.newReadsLikeOrder };
  return { severity: 'low', why: signalReasons.changed };
}

function inChanges(prepared: Prepared): Finding[] {
  const { subject, readings } = prepared;
  if (!subject.previous) return [];
  const earlier = prepare(earlierSubject(prepared), prepared.weights);
  const before = new Map(
    passagesOf(earlier.subject).map(({ place, text }) => [partOf(earlier.subject, place), text]),
  );
  const textBefore = (place: string): string | undefined => before.get(partOf(subject, place));
  const { schema, skill, item } = subject.previous;
  const compared = readings.filter(
    ({ passage: { place } }) =>
      place === '/description' ||
      (schema !== undefined && place.startsWith('/inputSchema')) ||
      (skill !== undefined && place.startsWith('/skill/')) ||
      (item !== undefined && /^\/(?:uri|mimeType|arguments)/.test(place)),
  );
  const changed = compared.filter(({ passage: { place, text } }) => textBefore(place) !== text);
  if (changed.length === 0) return [];
  const known = new Set(
    others.flatMap((detect) => detect(earlier)).map(({ rule, place }) => `${rule} ${place}`),
  );
  const inner: Prepared = { ...prepared, spread: null, readings: changed };
  const found = others
    .flatMap((detect) => detect(inner))
    .filter(({ rule, place, severity }) => severity !== 'low' && !known.has(`${rule} ${place}`));
  // A rule says more exactly what is wrong, and where.
  const ruled = found.find(({ rule }) => rule !== learnedRule);
  const hostile = ruled ?? found.find(({ severity }) => severity === 'high') ?? found[0];
  if (hostile)
    return [
      {
        ...hostile,
        detector,
        rule: `changed-${hostile.rule}`,
        category: 'rug_pull',
        severity: ruled ? 'critical' : hostile.severity,
        why: signalReasonWith.isNew(hostile.why),
      },
    ];
  return changed.map((reading) => {
    const [start, end] = changedPart(textBefore(reading.passage.place) ?? '', reading.passage.text);
    const fresh = prepareText(reading, start, end);
    return findingAt(
      { ...reading, readable: { text: reading.passage.text, origin: null } },
      start,
      end,
      { detector, rule: 'changed', category: 'rug_pull', ...judgeChange(fresh, prepared) },
    );
  });
}

const prepareText = (reading: Reading, start: number, end: number): Reading =>
  prepare({ ...emptySubject, description: reading.passage.text.slice(start, end) || ' ' })
    .readings[0] ?? reading;

const emptySubject: Subject = {
  server: '',
  name: '',
  title: null,
  description: '',
  annotations: null,
  instructions: null,
  inputSchema: {},
  outputSchema: null,
  peers: [],
  previous: null,
};

/**
 * Rug pull (docs/rules.md §9): compares the tool with the version last seen. A change in which a rule
 * of the other detectors finds something new is critical; one that only reads like an attack is as
 * severe as what it asks for; one that mentions secrets or sends more is high; any other is `low`:
 * shown, but no alarm. Texts that announce a change of behavior after approval count too. Example:
 * "Once approved it begins to …". Not: "Now also knows Welsh."
 */
export const detectRugPull: Detect = (prepared) => [
  ...inChanges(prepared),
  ...readChains(detector, prepared, delayed),
];
