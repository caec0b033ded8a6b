import { counted, formatCount } from './numbers.ts';
import type { Severity } from '../domain/severity.ts';

/**
 * What a signal says about a text, one plain sentence each. The window, the reports and the command
 * line all show these.
 */
export const signalReasons = {
  leaksSecret: 'Tells the model to read and leak a secret.',
  sendsPrivateData: 'Tells the model to send private data to an outside address.',
  asksForSecrets: 'Asks for secrets that the tool does not need.',
  sendsCovertly: 'Tells the model to send something without showing it to the user.',
  asksForConversation: 'Asks for more of the conversation than the tool needs.',
  redirectsPayment: 'Changes a payment or its recipient without the user’s consent.',
  valueIsInstruction: 'An enum value reads like an instruction to the model.',
  sendsToOwnServer: 'Tells the model to send something to a server that the author runs.',
  hidesFromUser: 'Tells the model to hide something from the user.',
  overridesRules: 'Tells the model to ignore its instructions or safeguards.',
  obeysOtherText: 'Tells the model to follow instructions in text from other sources.',
  deceivesUser: 'Tells the model to deceive the user.',
  ignoresUser: 'Tells the model to ignore what the user asked for.',
  asksForInstructions: 'Asks the model for its own instructions.',
  asksForWholeConversation: 'Asks for the whole conversation.',
  skipsConsent: 'Tells the model to act without the user’s consent.',
  newRole: 'Gives the model a new role.',
  noRefusal: 'Tells the model never to refuse.',
  falseAuthority: 'Claims an authority that it does not have.',
  roleMarker: 'Contains a marker that chat formats use to separate speakers.',
  onlyForModel: 'Contains a section that only the model is meant to read.',
  farBelow: 'Hides text far below, where people rarely scroll.',
  downloadsAndRuns: 'Downloads a program and runs it without review.',
  deletesFolders: 'Deletes whole folders of the user.',
  opensShell: 'Opens a shell to another machine.',
  runsEncoded: 'Runs an encoded command.',
  destroysDisk: 'Erases a disk or shuts down the machine.',
  opensFiles: 'Makes files writable for everyone.',
  opensMachine: 'Tells the model to give someone access to the machine.',
  deletesUnasked: 'Tells the model to delete files that the user did not ask to delete.',
  runsUnasked: 'Runs any command it is given, without asking.',
  installsPersistence: 'Tells the model to install something that keeps running.',
  blocksOtherTools: 'Tells the model not to use other tools.',
  disparagesOtherTools: 'Disparages other tools so that this one gets called.',
  outranksOtherTools: 'Claims priority over other tools.',
  claimsPriority: 'Claims to come first, whatever is asked for.',
  claimsEverything: 'Claims to be for everything that is asked for.',
  blocksNamedTool: 'Tells the model not to use a certain tool, without saying for what.',
  stuffsWords: 'Lists words that form no sentence.',
  interceptsCalls: 'Routes calls meant for other tools through this one.',
  changesAfterTrust: 'Says that the tool will behave differently once it is trusted.',
  nowNamesSecrets: 'Changed since the last scan: the text now mentions secrets and sending them.',
  newReadsLikeOrder: 'The new text reads like an order to the model.',
  nowSendsMore: 'Changed since the last scan: the tool now sends more data.',
  changed: 'Changed since the last scan.',
  lookAlikeLetters: 'Mixes look-alike letters of different alphabets in one word.',
  styledLetters: 'Uses styled letters that filters miss but models read.',
  readsLikeLeak: 'Reads like an order to pass on data.',
  readsLikeShadowing: 'Reads like an order about other tools.',
  readsLikeOrder: 'Reads like an order to the model rather than a description.',
  byteOrderMark: 'Starts with a byte order mark.',
} as const;

/** Sentences that name a part of the examined text. */
export const signalReasonWith = {
  instructsOtherTool: (toolId: string) =>
    `Tells the model how to use ${toolId}, a tool of another server.`,
  altersOtherTool: (tool: string) => `Changes the arguments or results of another tool, ${tool}.`,
  judgedBy: (reason: string, words: readonly string[]) =>
    `${reason} Telling words: ${words.map((word) => `“${word}”`).join(', ')}.`,
  sameName: (toolId: string) => `Has the name of ${toolId}, but describes something else.`,
  similarName: (toolId: string) => `The name is easily confused with ${toolId}.`,
  spread: (reason: string, lastPlace: string) =>
    `${reason} The text is spread over several fields, up to ${lastPlace}.`,
  isNew: (reason: string) => `New since the last scan. ${reason}`,
  decoded: (encoding: string, text: string, reason: string) =>
    `Decoded from ${encoding}: “${text}”. ${reason}`,
  reordersText: (character: string) => `${character} changes the order in which text is displayed.`,
  directionMark: (character: string) =>
    `${character} is a direction mark in a text without right-to-left letters.`,
  invisible: (character: string) =>
    `${character} is invisible: it splits words or carries hidden text.`,
  control: (character: string, startsCommand: boolean) =>
    `${character} is a control character${startsCommand ? ' that starts a terminal command' : ''}.`,
  tagCharacters: (hidden: string) =>
    `Contains invisible tag characters that a model can read.${decodedFrom('tag characters', hidden)}`,
  privateUse: (hidden: string) =>
    `Contains private-use characters that no font shows as text.${decodedFrom('private-use characters', hidden)}`,
  variationSelectors: (hidden: string) =>
    `Contains invisible variation selectors without effect on the text.${decodedFrom('variation selectors', hidden)}`,
};

const decodedFrom = (encoding: string, hidden: string) =>
  hidden === '' ? '' : ` Decoded from ${encoding}: “${hidden}”`;

interface CauseText {
  title: string;
  advice: string;
}

/** What each detector looks for, and what to do about it. */
const causes: Readonly<Record<string, CauseText>> = {
  hidden_instruction: {
    title: 'Gives the model instructions',
    advice:
      'Hide the tool from models until its author removes the instruction. A description says ' +
      'what a tool does, not what the model must do.',
  },
  exfiltration: {
    title: 'Leaks data',
    advice:
      'Don’t use this tool with real data. Ask the author why it needs this data, and remove the ' +
      'server if there is no good answer.',
  },
  shadowing: {
    title: 'Interferes with other tools',
    advice:
      'Hide the tool from models, or use its server alone. Ask the author to describe only what ' +
      'the tool itself does.',
  },
  invisible_characters: {
    title: 'Invisible or look-alike characters',
    advice:
      'Read the decoded text above. Ask the author to remove the characters; a description ' +
      'rarely needs them.',
  },
  encoded_payload: {
    title: 'Encoded instruction',
    advice:
      'Don’t use this tool. A model can decode and follow the text, and a reviewer cannot read it.',
  },
  dangerous_command: {
    title: 'Dangerous command',
    advice:
      'Check what the command does before a model can call the tool. Hide the tool unless you need it.',
  },
  rug_pull: {
    title: 'Changed since the last scan',
    advice:
      'Compare the old and the new text below. Keep using the tool only if you know why it changed.',
  },
};

/** “hidden_instruction” as people read it. */
export function detectorLabel(detector: string): string {
  const words = detector.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Title and advice of a detector's signals; other detectors go by their name. */
export const causeText = (detector: string): CauseText =>
  causes[detector] ?? {
    title: detectorLabel(detector),
    advice: 'Read the marked text, and ask the author what it is for.',
  };

export const noSignalsNote = 'No signal doesn’t mean safe.';
export const reappearsNote = 'Reappears if the tool changes.';
const order: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

/** The name of what was examined: a tool, or the server's own instructions (without tool name). */
export const subjectName = (server: string, tool: string): string =>
  tool === '' ? `${server} (server instructions)` : `${server}:${tool}`;

/** “Marked as safe: a joke of ours”; the reason is optional. */
export const markedAsSafe = (reason: string): string =>
  reason === '' ? 'Marked as safe.' : `Marked as safe: ${reason}`;

/**
 * What a scan found, in one sentence: the server to review first with its verdict, or that there is
 * nothing to review. `signals` are open ones, the most severe first.
 */
export function scanHeadline(
  signals: readonly { severity: Severity; server: string; tool: string; item?: unknown }[],
  tools: number,
): string {
  const [worst] = signals;
  if (worst === undefined) return `No signals in ${counted(tools, 'tool')}`;
  const own = signals.filter(({ server }) => server === worst.server);
  const first = own.length < signals.length ? ' first' : '';
  return `Review ${worst.server}${first}: ${serverSignalVerdict(own)}`;
}

/**
 * The verdict on one server from its open signals, one per cause and tool: “2 critical signals in
 * 1 tool”. The most severe kind comes first; the number of others follows.
 */
export function serverSignalVerdict(
  signals: readonly { severity: Severity; tool: string; item?: unknown }[],
): string {
  const worst = order.find((severity) => signals.some((signal) => signal.severity === severity));
  if (worst === undefined) return 'No signals';
  const grave = signals.filter(({ severity }) => severity === worst);
  const places = (items: boolean): number =>
    new Set(
      grave.flatMap(({ tool, item }) =>
        tool !== '' && (item !== undefined) === items ? [tool] : [],
      ),
    ).size;
  const [tools, items] = [places(false), places(true)];
  const named = [
    ...(tools > 0 ? [counted(tools, 'tool')] : []),
    ...(items > 0 ? [counted(items, 'prompt or resource', 'prompts or resources')] : []),
    ...(grave.some(({ tool }) => tool === '') ? ['the server instructions'] : []),
  ];
  const rest = signals.length - grave.length;
  return (
    `${counted(grave.length, `${worst} signal`)} in ${named.join(' and ')}` +
    (rest > 0 ? `, ${formatCount(rest)} less severe` : '')
  );
}
