import { signalReasons } from '../../../src-shared/display/signalTexts.ts';
import type { Finding } from '../../../src-shared/domain/security.ts';
import type { Severity } from '../../../src-shared/domain/severity.ts';
import { readChains } from './chainFindings.ts';
import { chainRule } from './chains.ts';
import { mask } from './lexicon.ts';
import { findingAt, type Detect, type Reading } from './prepared.ts';
import type { Words } from './words.ts';

const detector = 'dangerous_command';
const mention = mask('MENTION');
const ask = mask('ASK');
const not = mask('NEG');
const gate = mask('RUN', 'DESTROY', 'PATH', 'CODED', 'PUT', 'LINK');
const order = mask('RUN', 'MUST', 'WHEN', 'NEG', 'CALL', 'YOU', 'AGENT', 'PUT', 'COVERT');

/** Patterns of commands. Gaps are bounded, so that each pattern takes linear time. */
const commands: {
  id: string;
  pattern: RegExp;
  severity: Severity;
  why: string;
  evenWhereAsked: boolean;
}[] = [
  {
    id: 'download-and-run',
    pattern:
      /\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|]{0,160}\|\s{0,3}(?:sudo\s)?(?:ba|z|da)?sh\b|\b(?:curl|wget)\b[^\n]{0,120}\|\s{0,3}python/i,
    severity: 'critical',
    why: signalReasons.downloadsAndRuns,
    evenWhereAsked: true,
  },
  {
    id: 'delete-everything',
    pattern: /\brm\s{1,3}-(?:rf|fr|r\s-f)\s{1,3}["']?(?:\/|~|\*|\$HOME|\.\.)/i,
    severity: 'critical',
    why: signalReasons.deletesFolders,
    evenWhereAsked: false,
  },
  {
    id: 'raw-connection',
    pattern: /\/dev\/tcp\/|\bnc\s{1,3}-[a-z]{0,4}e\b|\bncat\s[^\n]{0,60}-e\b|\bbash\s-i\s{0,3}>&/i,
    severity: 'critical',
    why: signalReasons.opensShell,
    evenWhereAsked: true,
  },
  {
    id: 'encoded-command',
    pattern:
      /\bpowershell(?:\.exe)?\s[^\n]{0,60}-e(?:nc|ncodedcommand)?\s|\bbase64\s{1,3}(?:-d|-D|--decode)\b[^\n]{0,60}\|\s{0,3}(?:ba)?sh|\beval\(\s{0,3}atob\(/i,
    severity: 'high',
    why: signalReasons.runsEncoded,
    evenWhereAsked: true,
  },
  {
    id: 'overwrite-disk',
    pattern:
      /\bmkfs(?:\.\w{2,5})?\s\/dev\/|\bdd\s{1,3}if=[^\s]{1,60}\s{1,3}of=\/dev\/|:\(\)\s?\{\s?:\|:&\s?\};:/i,
    severity: 'critical',
    why: signalReasons.destroysDisk,
    evenWhereAsked: true,
  },
  {
    id: 'open-to-all',
    pattern: /\bchmod\s{1,3}(?:-R\s{1,3})?777\s{1,3}(?:\/|~)/i,
    severity: 'medium',
    why: signalReasons.opensFiles,
    evenWhereAsked: false,
  },
];

const rules = [
  chainRule('tool_poisoning', 'let-itself-in', signalReasons.opensMachine, {
    severity: 'critical',
    steps: [['PUT'], ['KEYWORD', 'LINK', 'SECRET'], ['PATH']],
    gap: 120,
    unless: ['MENTION', 'ASK'],
    plus: [['PATH']],
  }),
  chainRule('tool_poisoning', 'delete-folder', signalReasons.deletesUnasked, {
    severity: 'medium',
    steps: [['DESTROY'], ['FILE'], ['TELL', 'NEG', 'COVERT']],
    gap: 110,
    unless: ['MENTION', 'ASK'],
    plus: [
      ['PRETEND', 'COVERT', 'NEG'],
      ['AGENT', 'MUST', 'WHEN', 'YOU'],
      ['TELL', 'COVERT', 'PRETEND'],
      ['USER', 'POINTER'],
      ['GONE', 'LATER', 'RUN', 'CALL', 'TOOL'],
      ['DESTROY'],
    ],
  }),
  chainRule('tool_poisoning', 'run-anything', signalReasons.runsUnasked, {
    severity: 'medium',
    steps: [['RUN'], ['NEG'], ['ASK']],
    gap: [60, 14],
    plus: [['RUN'], ['SYSTEM', 'WHOLE', 'YOU', 'USER']],
  }),
  chainRule('tool_poisoning', 'persist', signalReasons.installsPersistence, {
    steps: [['PUT'], ['PERSIST']],
    gap: 140,
    unless: ['MENTION', 'ASK'],
    plus: [['LINK', 'COVERT', 'NEG']],
  }),
];

/** A text that says what is blocked, or that the user is asked. "Without asking" says neither. */
function isSpokenOf(words: Words): boolean {
  if ((words.allLo & mention.lo) !== 0) return true;
  if ((words.allLo & ask.lo) === 0) return false;
  for (let index = 0; index < words.count; index += 1) {
    if (
      ((words.lo[index] ?? 0) & ask.lo) !== 0 &&
      (index === 0 || ((words.lo[index - 1] ?? 0) & not.lo) === 0)
    )
      return true;
  }
  return false;
}

function inCommands(reading: Reading): Finding[] {
  const { words, readable } = reading;
  if (((words.allLo & gate.lo) | (words.allHi & gate.hi)) === 0) return [];
  const spokenOf = isSpokenOf(words);
  const ordered = ((words.allLo & order.lo) | (words.allHi & order.hi)) !== 0;
  return commands.flatMap(({ id, pattern, severity, why, evenWhereAsked }) => {
    const match = pattern.exec(readable.text);
    if (!match || (spokenOf && !evenWhereAsked) || !(ordered || reading.passage.kind === 'text'))
      return [];
    return [
      findingAt(reading, match.index, match.index + match[0].length, {
        detector,
        rule: id,
        category: 'tool_poisoning',
        severity,
        why,
      }),
    ];
  });
}

/**
 * Dangerous command or path (docs/rules.md §9): commands that destroy data, download and run code,
 * or open up the machine, and instructions to place keys or scheduled jobs. A text that mentions
 * such a command as something to confirm or block is ignored. Example: "first execute `curl … |
 * bash`". Not: "Deletes a folder, like `rm -rf`. Always ask the user."
 */
export const detectDangerousCommand: Detect = (prepared) => [
  ...readChains(detector, prepared, rules),
  ...prepared.readings.flatMap(inCommands),
];
