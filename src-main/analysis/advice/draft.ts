import type { Advice } from '../../../src-shared/domain/advice.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import type { FailedRequest } from '../missingWords.ts';
import { wordInFull, words } from '../tokenizer.ts';
import { nameSentence, textsOf } from './nameSentence.ts';
import { isBroken } from './brokenTexts.ts';
import { flawOf } from './offeredTexts.ts';
import { isListed, isSpoken, parameterNouns } from './parameterNouns.ts';
import { parameterSentences, allSentences } from './parameterSentences.ts';
import { baseVerb, vagueVerbs } from './purpose.ts';
import { endsOpen, faultOf, nounsOf, stemsOf, type TextFault } from './saysNothing.ts';
import { habitualSentence } from './siblingTexts.ts';
import { listed, spoken } from './spoken.ts';
import { reads } from './toolName.ts';
import { nameWords, particleSentence } from './useSentence.ts';

/** What advice changes that gives a tool another description as a whole. */
export function describedAs(
  { server, name, description }: AnalysedTool,
  newText: string,
): Pick<Advice, 'toolIds' | 'edits'> {
  const id = toolId(server, name);
  const path = '/description';
  return {
    toolIds: [id],
    edits: [{ type: 'text', toolId: id, path, oldText: description, newText, inserted: newText }],
  };
}

const maxListed = 4;

/** What the tool does: its own text if that is a sentence about it, else what its name says. */
function opening(
  tool: AnalysedTool,
  siblings: readonly AnalysedTool[],
  { kind }: TextFault,
): ReturnType<typeof nameSentence> {
  const text = tool.description.trim();
  if (kind === 'name' && isSentence(tool)) {
    const whole = /[.!?]$/u.test(text) ? text : `${text}.`;
    return { text: whole, said: none, implied: none, verb: doesOf(text), tells: false };
  }
  const named = nameSentence(tool, siblings);
  const said = named === null ? null : habitualSentence(tool, siblings);
  const habit = said === null || flawOf(said, tool, [tool, ...siblings]) !== null ? null : said;
  return named && habit !== null
    ? { ...named, text: withBy(habit, named.text), tells: !saysOnlyName(tool, habit) }
    : named;
}

/** A habit of a server mostly leaves open how a thing is identified: the parameters say it. */
function withBy(habit: string, text: string): string {
  const by = / by [^.]+(?=\.$)/u.exec(text)?.[0] ?? '';
  return / by |\bIDs?\b/iu.test(habit) ? habit : habit.replace(/\.$/u, `${by}.`);
}

const none: ReadonlySet<string> = new Set();
const doesOf = (text: string): string | null => baseVerb(text.split(/\s+/u)[0] ?? '');

/** Whether a text is a sentence about the whole thing of a name: "Search the posts". */
function isSentence(tool: AnalysedTool): boolean {
  const text = tool.description.trim();
  const isBare = !/[.!?]$/u.test(text) && words(text).join(' ') === words(tool.name).join(' ');
  const does = doesOf(text);
  const doing =
    nameWords(tool)
      .map(baseVerb)
      .find((each) => each !== null) ?? does;
  const isOwn = does !== null && (does === doing || !vagueVerbs.has(does));
  const speaks = nounsOf(nameWords(tool)).every((each) => stemsOf(text).has(each));
  return !isBare && !endsOpen(text) && text.includes(' ') && isOwn && speaks;
}

/**
 * Each of two tools with the description of the other. Null if the first tool can't be offered
 * its new text; if only the second can't, the first alone gets it, unless that makes the exchange
 * doubtful.
 */
export function exchangeAdvice(
  a: AnalysedTool,
  b: AnalysedTool,
  tools: readonly AnalysedTool[],
  why: string,
  isDoubtful = false,
): Advice | null {
  if (flawOf(b.description, a, tools) !== null) return null;
  const isHalf = flawOf(a.description, b, tools) !== null;
  if (isDoubtful && (isHalf || !sayMore(a, b, tools))) return null;
  const own = describedAs(a, b.description);
  const theirs = isHalf ? { toolIds: [], edits: [] } : describedAs(b, a.description);
  return {
    kind: 'draft',
    toolIds: [...own.toolIds, ...theirs.toolIds],
    edits: [...own.edits, ...theirs.edits],
    why,
    evidence: { requests: [], words: [] },
  };
}

/** Whether each of two tools has a text that says something of it once they have exchanged theirs. */
function sayMore(a: AnalysedTool, b: AnalysedTool, tools: readonly AnalysedTool[]): boolean {
  const [one, other] = [
    { ...a, description: b.description },
    { ...b, description: a.description },
  ];
  const all = tools.map((tool) => (tool === a ? one : tool === b ? other : tool));
  // The words of a name alone are poor, but of this tool.
  return [one, other].every((each) => [undefined, 'name'].includes(faultOf(each, all)?.kind));
}

type DraftedTool = AnalysedTool & { outputSchema?: JsonObject | null };

/**
 * A description for a tool whose own says nothing: from its name, parameters and output schema, and
 * what siblings say of it, in the style of the server's other tools. Null where that is no more than
 * the name and a list of parameters. Where two tools have exchanged their descriptions, each gets its
 * own back.
 */
export function draftAdvice(
  tool: DraftedTool,
  tools: readonly AnalysedTool[],
  requests: readonly FailedRequest[],
): Advice | null {
  const fault = faultOf(tool, tools);
  if (fault === null) return null;
  const { kind, why, about } = fault;
  const evidence = { requests: requests.map(({ query }) => query), words: [] };
  if (kind === 'exchanged' && about) {
    const piece = exchangeAdvice(tool, about, tools, why);
    return piece && { ...piece, evidence };
  }
  const siblings = tools.filter(
    (other) => other.server === tool.server && other.name !== tool.name,
  );
  const output = tool.outputSchema?.['properties'];
  const returned = isJsonObject(output) ? Object.keys(output) : [];
  const opened = opening(tool, siblings, fault);
  // "Manage a queue by ID." leaves open what is done to it.
  if (nounsOf(nameWords(tool)).length === 0) return null;
  if (opened === null || (vagueVerbs.has(opened.verb ?? '') && !opened.text.includes(':')))
    return null;
  const taken = parameterSentences(tool, opened, textsOf(tool, siblings));
  if (taken === null) return null;
  const others = siblings.map(({ name }) => name);
  const use = particleSentence(tool, evidence.requests, others);
  const returns =
    returned.length > 0 && returned.length <= maxListed
      ? `Returns the ${listed(returned.map(spoken), 'and')}.`
      : null;
  // What a tool is called, how a thing is identified and what a call takes stand in name and schema.
  // Values say more of a thing that the sentence identifies.
  const values = opened.said.size > 0 ? taken.needed : null;
  const told = [use, values, returns];
  if (!opened.tells && told.every((sentence) => sentence === null)) return null;
  const newText = [opened.text, use, ...allSentences(taken), returns]
    .filter((sentence) => sentence !== null)
    .join(' ');
  if (isBroken(newText, tool, tools)) return null;
  // A sentence that repeats the name is no trouble until a request fails that it lacks words for.
  const own = tool.description.trim();
  // What is copied from a sibling still stands there.
  if (kind !== 'copied' && losesCondition(own, newText)) return null;
  if (
    newText.replace(/\.$/u, '') === own.replace(/\.$/u, '') ||
    (own !== '' && requests.length === 0 && newText.startsWith(own))
  )
    return null;
  return { kind: 'draft', ...describedAs(tool, newText), why, evidence };
}

const condition =
  /\b(?:only|never|must|unless|except|not|cannot|warning|caution|irreversibl[ey]|permanently|deprecated)\b|n['’]t\b/giu;

/** Whether a text binds or warns a caller in a word that another one lacks: "Admins ONLY." */
function losesCondition(text: string, other: string): boolean {
  const kept = other.toLowerCase();
  return [...text.matchAll(condition)].some(([word]) => !kept.includes(word.toLowerCase()));
}

/**
 * What a text lacks where a description says nothing and no draft is offered, as sentences; null where
 * the description says something, or a draft is offered.
 */
export function missingText(tool: DraftedTool, tools: readonly AnalysedTool[]): string | null {
  const fault = faultOf(tool, tools);
  if (fault === null || draftAdvice(tool, tools, []) !== null) return null;
  return `${fault.why} No text by rules; what is missing: ${missingFrom(tool)}.`;
}

/**
 * What an author has to write where a description is empty or only the name, as a sentence; null
 * for other descriptions. It is for tools that no draft is offered for.
 */
export function toBeWritten(tool: DraftedTool, tools: readonly AnalysedTool[]): string | null {
  const kind = faultOf(tool, tools)?.kind;
  return kind === 'empty' || kind === 'name' ? `Say ${missingFrom(tool)}.` : null;
}

function missingFrom(tool: DraftedTool): string {
  const unclear = parameterNouns(tool.inputSchema, tool.name).filter(
    (each) => each.identifies === null && isListed(each) && !isSpoken(each),
  );
  const missing = [
    'what it does beyond its name',
    ...(tool.outputSchema ? [] : ['what it returns']),
    'when to use it',
    ...unclear.map(({ name }) => `what ${name} means`),
  ];
  return listed(missing, 'and');
}

/** What a thing is called without saying anything of it: "a specific order". */
const empty = stemsOf(
  'about additional available certain current detail detailed details different existing full given individual information multiple new ' +
    'registered several single specific specified various',
);

/** Whether a sentence says no more than the names of its tool and its parameters. */
function saysOnlyName(tool: AnalysedTool, text: string): boolean {
  const { properties } = tool.inputSchema;
  // The name of the server stands beside every tool.
  const known = stemsOf(
    [
      ...words(tool.name),
      ...nameWords(tool).map(wordInFull),
      ...words(tool.server),
      ...(isJsonObject(properties) ? Object.keys(properties).flatMap((name) => words(name)) : []),
      'id',
    ].join(' '),
  );
  return [...stemsOf(text)].every(
    (each) => known.has(each) || empty.has(each) || baseVerb(each) !== null,
  );
}

/** Whether the names of two tools do the same to the same thing, so that they can be confused. */
export function isLike(a: AnalysedTool, b: AnalysedTool): boolean {
  const [own, theirs] = [a, b].map((tool) => {
    const name = nameWords(tool);
    const verb = name.map(baseVerb).find((each) => each !== null) ?? 'get';
    return `${reads.has(verb) ? 'read' : verb} ${nounsOf(name).at(-1) ?? name.join(' ')}`;
  });
  return own === theirs;
}
