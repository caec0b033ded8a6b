import { parsePointer } from '../../src-shared/domain/jsonPointer.ts';
import { editTool, textAt, type TextEdit } from '../../src-shared/domain/textEdit.ts';
import type { Objective } from '../../src-shared/domain/optimization.ts';
import { ruleDetectors, type Finding } from '../../src-shared/domain/security.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import type { EarlierText } from '../analysis/advice/restore.ts';
import { names } from '../analysis/advice/paste.ts';
import { copiedRequestIn } from '../analysis/proposals/copiedText.ts';
import { newClaim } from '../analysis/orderTexts.ts';
import { examine } from '../analysis/detectors/detectors.ts';
import { idOf } from './catalog.ts';
import { lostContract } from './contracts.ts';

export interface RefusalRules {
  /** All tools as they are. */
  tools: readonly Tool[];
  /** A candidate that is to save tokens keeps every contract. */
  objective: Objective;
  allowNames: boolean;
  /** The most tokens that a tool may gain. */
  maxAddedTokens: number;
  countTokens: (tool: Tool) => number;
  /** Whether another tool has a text as it is with the candidate: nothing of it is lost. */
  isMoved?: ((text: string) => boolean) | undefined;
  /** Texts of the author, which may be as long as they are, by ID of the tool. */
  earlier?: ((toolId: string) => readonly EarlierText[]) | undefined;
  /** The instructions of a server as the model is sent them: a contract may be there. */
  instructions?: ((server: string) => string) | undefined;
  /** Requests that no text may copy: a text that holds the requests of its suite proves nothing. */
  requests: readonly string[];
}

/**
 * Notes about safety by what they say: a text that had one of a group must keep one of that group,
 * in whatever words. "Do not use this tool to …, use … instead" is about choice, not about safety.
 */
const safetyNotes: readonly (readonly [note: string, pattern: RegExp])[] = [
  [
    'that it can’t be undone',
    /\b(?:permanent\w*|irreversibl\w*|for good|(?:can(?:no|')?t|can’t|cannot|can not) be (?:undone|recovered|restored|reversed))\b/iu,
  ],
  ['a warning', /\b(?:caution|careful(?:ly)?|warning|danger(?:ous)?|destructive|beware)\b/iu],
  [
    'a prohibition',
    /\b(?:never|must not|(?:do not|don['’]t)(?! use (?:this|it)\b)|not allowed|forbidden)\b/iu,
  ],
  [
    'a confirmation',
    /\b(?:confirm\w*|approv\w*|ask(?:s|ing)? (?:the user|first)|permission\w*)\b/iu,
  ],
  ['that it overwrites', /\b(?:overwrit\w+|replac\w+ (?:the |an? |any )?existing)\b/iu],
  ['that it is deprecated', /\bdeprecated\b/iu],
  [
    'a limit of access',
    /\b(?:only (?:works|within|for|in|if|when)|read[- ]only|allowed director\w+|sandbox\w*)\b/iu,
  ],
];

/**
 * Why a proposal must not be tried; null if it may. A proposal may change texts only: names of
 * parameters, required sets, notes about safety and the tools of other servers stay out of it, it may
 * copy no request and make no claim over other tools, and it may neither trip a security detector nor grow a tool beyond its token budget. Pure.
 *
 * @param before the tool as it is
 * @param after the tool with the whole candidate applied
 */
export function refusal(
  before: Tool,
  after: Tool,
  edits: readonly TextEdit[],
  rules: RefusalRules,
): string | null {
  const wrongPlace = edits.map(({ path }) => placeRefusal(path, rules.allowNames)).find(Boolean);
  if (wrongPlace) return wrongPlace;
  if (after.description.trim() === '' && before.description.trim() !== '')
    return 'It leaves the tool without a description.';
  const emptied = edits.find(
    ({ path, newText }) => newText.trim() === '' && textAt(before, path).trim() !== '',
  );
  if (emptied) return `It empties ${emptied.path}.`;
  const added = rules.countTokens(after) - rules.countTokens(before);
  // A tool may always become as long as its server's others are, however short it was.
  const isLong = rules.countTokens(after) > usualTokens(before, rules);
  const wasListed = ({ toolId, newText }: TextEdit): boolean =>
    rules.earlier?.(toolId).some(({ description }) => description === newText) ?? false;
  const isAuthors = edits.every(
    (edit) =>
      wasListed(edit) || rules.tools.some(({ description }) => description === edit.newText),
  );
  if (added > rules.maxAddedTokens && isLong && !isAuthors)
    return `It adds ${added} tokens; the limit is ${rules.maxAddedTokens}, or the usual length of the server’s tools.`;
  return (
    (rules.isMoved?.(before.description) ? null : lostNote(before, after)) ??
    (rules.objective === 'accuracy' || added >= 0
      ? null
      : lost(before, edits, rules.instructions?.(before.server) ?? '')) ??
    foreignTool(before, edits, rules.tools) ??
    (edits.every(wasListed) ? null : copied(before, edits, rules.requests)) ??
    newClaim(before, edits) ??
    newSignal(before, after)
  );
}

/** The median length of the other tools of a server; 0 if there are none. */
function usualTokens({ server, name }: Tool, { tools, countTokens }: RefusalRules): number {
  const counts = tools
    .filter((tool) => tool.server === server && tool.name !== name)
    .map(countTokens)
    .sort((a, b) => a - b);
  return counts[Math.floor(counts.length / 2)] ?? 0;
}

function placeRefusal(path: string, allowNames: boolean): string | null {
  const steps = parsePointer(path);
  const last = steps.at(-1);
  const isOwnText =
    steps.length === 1 &&
    (last === 'description' || last === 'title' || (last === 'name' && allowNames));
  // A parameter can be called "description", so the place must be one of a schema, not a name.
  const isSchemaText =
    steps[0] === 'inputSchema' &&
    steps.length >= 2 &&
    (last === 'description' || last === 'title') &&
    steps.at(-2) !== 'properties';
  if (isOwnText || isSchemaText) return null;
  if (path === '/name') return 'It renames the tool, and names may not change.';
  if (steps.includes('required')) return 'It changes which parameters are required.';
  return `It changes ${path === '' ? 'the whole tool' : path}, which is not a description.`;
}

const allTexts = (tool: Tool): string =>
  `${tool.title ?? ''}\n${tool.description}\n${JSON.stringify(tool.inputSchema)}`;

function lostNote(before: Tool, after: Tool): string | null {
  const [old, now] = [allTexts(before), allTexts(after)];
  for (const [note, pattern] of safetyNotes) {
    const found = pattern.exec(old)?.[0];
    if (found !== undefined && !pattern.test(now)) return `It drops ${note} (“${found}”).`;
  }
  return null;
}

/** What a candidate that saves tokens drops; what stays elsewhere in the tool or in the instructions is not lost. */
function lost(before: Tool, edits: readonly TextEdit[], instructions: string): string | null {
  const after = `${JSON.stringify(editTool(before, edits))}\n${instructions}`;
  for (const { path, newText } of edits) {
    const contract = lostContract(textAt(before, path), newText);
    if (contract !== null && lostContract(textAt(before, path), after) !== null)
      return `It drops ${contract}.`;
  }
  return null;
}

/** Common words such as "search" are names of tools too, so only unmistakable names count. */
const isUnmistakable = (name: string): boolean => /[a-z][A-Z]|[-_.]/u.test(name);

function foreignTool(
  before: Tool,
  edits: readonly TextEdit[],
  tools: readonly Tool[],
): string | null {
  const own = new Set(
    tools.filter(({ server }) => server === before.server).map(({ name }) => name),
  );
  for (const { server, name } of tools) {
    if (server === before.server || own.has(name) || !isUnmistakable(name)) continue;
    const isNamed = edits.some(
      ({ path, newText }) => names(newText, name) && !names(textAt(before, path), name),
    );
    if (isNamed) return `It names ${name}, a tool of another server.`;
  }
  return null;
}

// Every edit changes the tool on purpose, so the detector of changes has nothing to say.
const detectors = ruleDetectors.filter((name) => name !== 'rug_pull');

function copied(
  before: Tool,
  edits: readonly TextEdit[],
  requests: readonly string[],
): string | null {
  for (const { path, newText } of edits) {
    const [earlier, now] = [copiedRequestIn(textAt(before, path)), copiedRequestIn(newText)];
    for (const request of requests) {
      const words = now(request);
      if (words !== null && earlier(request) === null)
        return `It copies a request of the suite (“${words}”).`;
    }
  }
  return null;
}

function findingsOf(tool: Tool): Finding[] {
  return examine(
    {
      server: tool.server,
      name: tool.name,
      title: tool.title,
      description: tool.description,
      annotations: tool.annotations,
      instructions: null,
      inputSchema: tool.inputSchema,
      outputSchema: tool.outputSchema,
      peers: [],
      previous: null,
    },
    detectors,
  );
}

function newSignal(before: Tool, after: Tool): string | null {
  const key = ({ detector, rule }: Finding): string => `${detector} ${rule}`;
  const known = new Set(findingsOf(before).map(key));
  const found = findingsOf(after).find((one) => !known.has(key(one)));
  return found
    ? `It trips the security detector ${found.detector.replaceAll('_', ' ')} (“${found.text}”) in ${idOf(after)}.`
    : null;
}
