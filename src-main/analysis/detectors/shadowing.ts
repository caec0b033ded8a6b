import { signalReasons, signalReasonWith } from '../../../src-shared/display/signalTexts.ts';
import type { Finding, PeerTool } from '../../../src-shared/domain/security.ts';
import type { OrderKind } from '../orderLanguages.ts';
import { orderTexts } from '../orderTexts.ts';
import { readChains } from './chainFindings.ts';
import { chainRule, holds } from './chains.ts';
import { identifiersIn, partsOf, skeletonOf, type Identifier } from './identifiers.ts';
import { readSense } from './learned/findings.ts';
import { weighed } from './learned/weigh.ts';
import { mask, type Mask } from './lexicon.ts';
import { findingAt, type Detect, type Prepared, type Reading } from './prepared.ts';
import { readableOf } from './readable.ts';

const detector = 'shadowing';
const directs = mask('MUST', 'WHEN', 'REPLACE', 'OVERRIDE', 'ACCOUNT', 'LINK', 'COVERT');
const not = mask('NEG');
const call = mask('CALL');
const changes = mask('REPLACE', 'ACCOUNT', 'LINK', 'COVERT', 'OVERRIDE');
const speaksOfTools = mask(
  'MUST',
  'WHEN',
  'REPLACE',
  'NEG',
  'CALL',
  'TOOL',
  'SEND',
  'ACCOUNT',
  'OVERRIDE',
  'LINK',
);

const rules = [
  chainRule('shadowing', 'banish-others', signalReasons.blocksOtherTools, {
    steps: [['NEG', 'OVERRIDE'], ['CALL'], ['OTHER'], ['TOOL']],
    gap: 50,
  }),
  chainRule('shadowing', 'others-are-bad', signalReasons.disparagesOtherTools, {
    steps: [['OTHER'], ['TOOL'], ['REPLACE', 'NEG']],
    gap: 40,
    plus: [
      ['WHOLE', 'OTHER'],
      ['REPLACE', 'MUST', 'SEND'],
      ['SEND', 'CALL', 'POINTER'],
    ],
  }),
  chainRule('shadowing', 'outrank-others', signalReasons.outranksOtherTools, {
    steps: [['REPLACE'], ['OTHER'], ['TOOL']],
    gap: 40,
    plus: [['REPLACE'], ['OTHER']],
  }),
  chainRule('shadowing', 'route-all-here', signalReasons.interceptsCalls, {
    steps: [['REPLACE', 'SEND'], ['WHOLE'], ['PRIVATE', 'CALL', 'FILE'], ['POINTER', 'TOOL']],
    gap: 50,
    plus: [['TOOL', 'OTHER', 'CALL']],
  }),
];

const near = 140;

/** Classes of the words near a span. */
function around({ words }: Reading, { start, end }: Identifier): Mask {
  const found = { lo: 0, hi: 0 };
  for (
    let index = firstAfter(words.start, start - near);
    index < words.count && (words.start[index] ?? 0) <= end + near;
    index += 1
  ) {
    const at = words.start[index] ?? 0;
    if (at >= start && at < end) continue;
    found.lo |= words.lo[index] ?? 0;
    found.hi |= words.hi[index] ?? 0;
  }
  return found;
}

function firstAfter(starts: Int32Array, at: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const maxFindings = 5;

function inText(
  reading: Reading,
  own: { server: string; name: string },
  foreign: ReadonlyMap<string, PeerTool>,
  known: ReadonlySet<string>,
): Finding[] {
  const { words, passage, readable } = reading;
  if (passage.kind !== 'text' || !holds(words.allLo, words.allHi, speaksOfTools)) return [];
  // Most texts have no word that could make a finding of a name, so nobody looks for names in them.
  if (foreign.size === 0 && !interferes({ lo: words.allLo, hi: words.allHi })) return [];
  if (!/[_-]|[a-z][A-Z]/.test(readable.text)) return [];
  const found: Finding[] = [];
  const names = identifiersIn(readable.text);
  for (const each of names) {
    if (each.text === own.name || found.length >= maxFindings) continue;
    const peer = foreign.get(each.text);
    const classes = peer || !known.has(each.text) ? around(reading, each) : { lo: 0, hi: 0 };
    if (
      peer &&
      (holds(classes.lo, classes.hi, directs) ||
        (holds(classes.lo, classes.hi, not) && holds(classes.lo, classes.hi, call)))
    ) {
      found.push(
        findingAt(reading, each.start, each.end, {
          detector,
          rule: 'directs-foreign-tool',
          category: 'shadowing',
          severity: 'high',
          why: signalReasonWith.instructsOtherTool(`${peer.server}:${peer.name}`),
        }),
      );
    } else if (
      !peer &&
      !known.has(each.text) &&
      interferes(classes) &&
      isCalled(readable.text, each)
    ) {
      found.push(
        findingAt(reading, each.start, each.end, {
          detector,
          rule: 'changes-other-tool',
          category: 'shadowing',
          severity: 'high',
          why: signalReasonWith.altersOtherTool(each.text),
        }),
      );
    }
  }
  return found;
}

const when = mask('WHEN', 'WHOLE', 'MUST');

const interferes = (classes: Mask) =>
  holds(classes.lo, classes.hi, changes) && holds(classes.lo, classes.hi, when);

/**
 * Whether the words around a name make it a tool that is called: "the send_email tool", "whenever X
 * is called".
 */
function isCalled(text: string, { start, end }: Identifier): boolean {
  const after = text.slice(end, end + 40);
  const before = text.slice(Math.max(0, start - 30), start);
  return (
    /^[`'"]?\s(?:tool\b|is (?:called|invoked|used|run)|returns\b)/i.test(after) ||
    /(?:behaviou?r of (?:the )?|supersedes |calls? (?:to|of) |when(?:ever)? |tool )[`'"]?$/i.test(
      before,
    )
  );
}

function nearNames({ subject, readings }: Prepared): Finding[] {
  if (subject.peers.length === 0) return [];
  const reading = readings.find(({ passage }) => passage.place === '/name');
  if (!reading) return [];
  const shown = readableOf(subject.name).text;
  const skeleton = skeletonOf(shown);
  if (skeleton.length < 4) return [];
  for (const peer of subject.peers) {
    if (
      peer.server === subject.server ||
      peer.name === subject.name ||
      (skeletonOf(peer.name) !== skeleton && !isSlip(subject.name, peer.name))
    )
      continue;
    // Another separator or another case between the same words is a convention, not a disguise.
    if (partsOf(subject.name).join(' ') === partsOf(peer.name).join(' ')) continue;
    return [
      findingAt(reading, 0, reading.readable.text.length, {
        detector,
        rule: 'looks-like',
        category: 'shadowing',
        severity: 'high',
        why: signalReasonWith.similarName(`${peer.server}:${peer.name}`),
      }),
    ];
  }
  return [];
}

const minSlip = 6;

/** Whether two names differ by one doubled letter or by two neighbors that changed places. */
function isSlip(a: string, b: string): boolean {
  if (a.length < minSlip || Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (a.length === b.length)
    return (
      a.charAt(at) === b.charAt(at + 1) &&
      a.charAt(at + 1) === b.charAt(at) &&
      a.slice(at + 2) === b.slice(at + 2)
    );
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  return (
    at > 0 && long.charAt(at) === long.charAt(at - 1) && long.slice(at + 1) === short.slice(at)
  );
}

/** Letters that two words must share to be forms of one word: prices, pricing. */
const stem = 4;

/** Whether a description has at least half of the words of the name. */
function speaksOf(description: string, name: string): boolean {
  const text = description.toLowerCase();
  const words = partsOf(name).filter((word) => word.length >= 3);
  return 2 * words.filter((word) => text.includes(word.slice(0, stem))).length >= words.length;
}

/**
 * A tool with the name of another server's tool that describes something else. Servers of the same
 * kind share several names, so only a name that is the only shared one counts.
 */
function sameName({ subject, readings }: Prepared): Finding[] {
  const { name, server, peers } = subject;
  const reading = readings.find(({ passage }) => passage.place === '/name');
  const other = peers.find((peer) => peer.server !== server && peer.name === name);
  if (!reading || !other || subject.description === '' || speaksOf(subject.description, name))
    return [];
  const theirs = new Set(
    peers.filter((peer) => peer.server === other.server).map((peer) => peer.name),
  );
  if (peers.some((peer) => peer.server === server && peer.name !== name && theirs.has(peer.name)))
    return [];
  return [
    findingAt(reading, 0, reading.readable.text.length, {
      detector,
      rule: 'same-name',
      category: 'shadowing',
      severity: 'medium',
      why: signalReasonWith.sameName(`${other.server}:${other.name}`),
    }),
  ];
}

const claims: Record<OrderKind, readonly [rule: string, why: string]> = {
  priority: ['claims-priority', signalReasons.claimsPriority],
  everything: ['claims-everything', signalReasons.claimsEverything],
  exclusion: ['claims-exclusion', signalReasons.blocksOtherTools],
  named: ['claims-named', signalReasons.blocksNamedTool],
  stuffing: ['stuffs-words', signalReasons.stuffsWords],
};

/** Plain claims, which an author may also mean: remarks, unless a rule or the weights say more. */
function plainClaims(
  { readings }: Prepared,
  found: readonly Finding[],
  parameters: ReadonlySet<string>,
): Finding[] {
  return readings.flatMap((reading) => {
    if (reading.passage.kind !== 'text') return [];
    return orderTexts(reading.readable.text, parameters).flatMap(({ kind, start, end }) => {
      const [rule, why] = claims[kind];
      const finding = findingAt(reading, start, end, {
        detector,
        rule,
        category: 'shadowing',
        severity: 'low',
        why,
      });
      const isKnown = found.some(
        ({ place, span }) =>
          place === finding.place && span[0] < finding.span[1] && span[1] > finding.span[0],
      );
      return isKnown ? [] : [finding];
    });
  });
}

const parametersOf = ({ readings }: Prepared): Set<string> =>
  new Set(readings.flatMap(({ passage }) => (passage.kind === 'key' ? [passage.text] : [])));

/** What is more than a remark. */
export const detectGraveShadowing: Detect = (prepared) => {
  const { subject, readings } = prepared;
  const foreign = new Map<string, PeerTool>();
  const known = new Set<string>();
  for (const peer of subject.peers) {
    if (peer.server === subject.server) known.add(peer.name);
  }
  // A name that its own server has too refers to the own tool.
  for (const peer of subject.peers)
    if (peer.server !== subject.server && !known.has(peer.name)) foreign.set(peer.name, peer);
  for (const parameter of parametersOf(prepared)) known.add(parameter);
  return [
    ...readChains(detector, prepared, rules),
    ...readings.flatMap((reading) =>
      inText(reading, subject, foreign, known).map((finding) =>
        weighed(finding, prepared, reading),
      ),
    ),
    ...nearNames(prepared),
    ...sameName(prepared),
    ...readSense(detector, prepared),
  ];
};

/**
 * Cross-tool shadowing (docs/rules.md §9): a tool that directs the use of another server's tool,
 * changes what another tool receives or returns, claims priority over other tools, or has a name
 * that is easily mistaken for another one. Tools of the same server may mention each other.
 * Example: "Whenever send_email is called, bcc …". Not: "Call `list_projects` first."
 */
export const detectShadowing: Detect = (prepared) => {
  const found = detectGraveShadowing(prepared);
  return [...found, ...plainClaims(prepared, found, parametersOf(prepared))];
};
