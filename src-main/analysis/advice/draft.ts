import type { Advice } from '../../../src-shared/domain/advice.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { contentTerms, hasContent, stem } from '../contentTerms.ts';
import { missingWords, type FailedRequest } from '../missingWords.ts';
import { groupsOf } from '../relatedWords.ts';
import { words } from '../tokenizer.ts';
import { names } from './paste.ts';
import { baseVerb, purposeOf, vagueVerbs } from './purpose.ts';
import { nameSentence, reads } from './nameSentence.ts';
import { parameterSentences } from './parameterSentences.ts';
import { listed, spoken } from './spoken.ts';
import { nameWords, objectOf, objectIn, roleOf, useSentence } from './useSentence.ts';

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

/** Words that the description of any tool may have. */
const fillers = new Set(
  `
    accept action any api argument call command correspond data do endpoint execute function given
    handle help helper information input item method object operation output parameter perform
    process provide request requested resource response result return run server service simple
    specific specified task thing tool use useful user utility value various
  `
    .trim()
    .split(/\s+/u)
    .flatMap((word) => contentTerms(word).map(({ stem }) => stem)),
);
/** Function words of languages that tools are described in, other than English. */
const foreign =
  /(?<![\p{L}])(?:der|die|das|und|eine[rsmn]?|oder|mit|von|für|le|les|des|une|pour|avec|el|los|las|una|para|por|del|con|il|della|uno|per|com|uma|dos)(?![\p{L}])/giu;
const english = /\b(?:the|a|an|of|to|for|with|by|from|or|and|in)\b/giu;

const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(contentTerms(text).map(({ stem }) => stem));
const isEnglish = (text: string): boolean =>
  /\p{Script=Latin}/u.test(text) && (text.match(foreign) ?? []).length < 2;

/**
 * Why a description says nothing about its tool, as a sentence; null if it says something. It is
 * empty; has only words of the name, or words that fit any tool; is in another language than those of
 * most other tools of the server; has no word of the name and the schema; ends in the middle of a
 * sentence; or is about another tool of the server.
 */
export function saysNothing(tool: AnalysedTool, tools: readonly AnalysedTool[]): string | null {
  const { name, description, server } = tool;
  if (!/[\p{L}\p{N}]/u.test(description)) return `${name} has no description.`;
  const own = stemsOf(nameWords(tool).join(' '));
  const servers = stemsOf(words(server).join(' '));
  const known = new Set([...own, ...servers]);
  const said = [...stemsOf(description)];
  const news = said.filter((stem) => !known.has(stem) && baseVerb(stem) === null);
  if (news.length === 0) return `The description of ${name} says no more than its name.`;
  const speaksOfIt = nounsOf(nameWords(tool)).some((stem) => said.includes(stem));
  if (!speaksOfIt && news.every((stem) => fillers.has(stem)))
    return `The description of ${name} fits any tool.`;
  const siblings = tools.filter((other) => other.server === server && other.name !== name);
  const about = aboutOf(tool, siblings);
  if (about !== undefined) return `The description of ${name} is about ${about.name}.`;
  if (isStray(tool, said, own))
    return `The description of ${name} has no word of its name or parameters.`;
  const text = description.trim();
  const count = text.split(/\s+/u).length;
  // A few words that don't even name the thing are the beginning of a sentence that is gone.
  const isStump = count <= maxStumpWords && !/[.!?]$/u.test(text) && !speaksOfIt && isEnglish(text);
  if (
    (count <= maxCutWords && cutOff.test(text)) ||
    (isStump && nounsOf(nameWords(tool)).length > 0)
  )
    return `The description of ${name} ends in the middle of a sentence.`;
  const readable = siblings.filter((other) => isEnglish(other.description));
  const isForeign = !isEnglish(description) && (description.match(english) ?? []).length < 2;
  return isForeign && readable.length * 2 > siblings.length
    ? `The description of ${name} is in another language than most of its server.`
    : null;
}

const minStrayWords = 3;
/** So few words that a text which is cut off after them says nothing by itself. */
const maxCutWords = 5;
const maxStumpWords = 3;
const cutOff =
  /\b(?:an?|the|of|to|for|with|by|from|or|and|in|on|at|as|its|their|your|this|that|all|any|each|every|some|several|multiple|single|new|existing|specific|given|current|certain|recent|latest)$/iu;

/**
 * Whether a text has no word of its tool's name and schema, neither a form of one nor a related one.
 * Of 2,250 real tools, 3 that are described in English are so.
 */
function isStray(tool: AnalysedTool, said: readonly string[], own: ReadonlySet<string>): boolean {
  const { description, inputSchema } = tool;
  const telling = said.filter((each) => !fillers.has(each));
  if (said.length < minStrayWords || !isEnglish(description)) return false;
  // A name that says nothing can't be missing from a text.
  if (!nameWords(tool).some(hasContent)) return false;
  const known = [
    ...own,
    ...stemsOf(words(tool.name).join(' ')),
    ...stemsOf(parameterNames(inputSchema).join(' ')),
  ];
  const groups = new Set(known.flatMap((each) => groupsOf(each)));
  return !telling.some(
    (each) =>
      known.includes(each) ||
      groupsOf(each).some((group) => groups.has(group)) ||
      (each.length > 3 &&
        known.some((other) => other.length > 3 && other.startsWith(each.slice(0, 4)))),
  );
}

/** The stems of a name without its verb, which several tools share. */
function nounsOf(name: readonly string[]): string[] {
  const verb = name.findIndex((word) => baseVerb(word) !== null);
  return [...stemsOf(name.filter((_, at) => at !== verb).join(' '))];
}

const maxOpening = 8;

/** The share of the words of a tool's name that a text has, 0–1. */
function fit(tool: AnalysedTool, said: ReadonlySet<string>): number {
  const own = [...stemsOf(nameWords(tool).join(' '))];
  return own.filter((each) => said.has(each)).length / own.length;
}

/**
 * The sibling that a description is about: one whose whole name it has while it has nothing of its
 * own, one that has the same text and fits it better, or whose own text fits this tool as much better as this text fits the sibling, as where the two were swapped.
 */
function aboutOf(tool: AnalysedTool, siblings: readonly AnalysedTool[]): AnalysedTool | undefined {
  const said = stemsOf(tool.description);
  // A long text mentions many things; what it is about, it says first.
  const opened = stemsOf(tool.description.trim().split(/\s+/u).slice(0, maxOpening).join(' '));
  const own = fit(tool, said);
  if (own === 1) return undefined;
  const found = siblings.filter((other) => {
    if (fit(other, said) <= own) return false;
    if (other.description === tool.description) return true;
    // Texts that name the other tool tell the two apart, and so speak of both.
    if (names(tool.description, other.name) || names(other.description, tool.name)) return false;
    if (own === 0 && fit(other, opened) === 1 && stemsOf(nameWords(other).join(' ')).size > 1)
      return true;
    const theirs = stemsOf(other.description);
    return fit(tool, theirs) > fit(other, theirs) && fit(tool, theirs) > own;
  });
  // Several may have the same text: it is about the one that it fits best.
  return found.sort((a, b) => fit(b, said) - fit(a, said))[0];
}

const maxListed = 4;
const maxWords = 4;

/** What the tool does: its own text if that is a sentence about it, else what its name says. */
function opening(
  tool: AnalysedTool,
  siblings: readonly AnalysedTool[],
  why: string,
): ReturnType<typeof nameSentence> {
  const text = tool.description.trim();
  const [start = '', ...more] = text.split(/\s+/u);
  const isBare = !/[.!?]$/u.test(text) && words(text).join(' ') === words(tool.name).join(' ');
  const does = baseVerb(start);
  const doing =
    nameWords(tool)
      .map(baseVerb)
      .find((each) => each !== null) ?? does;
  const isOwn = does !== null && (does === doing || !vagueVerbs.has(does));
  const speaks = nounsOf(nameWords(tool)).every((each) => stemsOf(text).has(each));
  if (why.endsWith('than its name.') && !isBare && more.length > 0 && isOwn && speaks)
    return { text: /[.!?]$/u.test(text) ? text : `${text}.`, said: new Set(), verb: does };
  return nameSentence(tool, siblings);
}

/** The words of failing requests for a tool, as a sentence. A tool that says nothing needs only one. */
function requestSentence(
  tool: AnalysedTool,
  requests: readonly FailedRequest[],
  others: readonly AnalysedTool[],
  accept: (word: string) => boolean,
): string | null {
  const queries = requests.map(({ query }) => query);
  const claimed = new Set(others.flatMap((other) => nameWords(other)));
  const object = objectOf(tool);
  const near = new Set(nameWords(tool).flatMap((word) => groupsOf(stem(word))));
  // Requests may name values that were not expected of them, so each counts as sure.
  const sure = requests.map(({ query, values }) => ({ query, values: `${values} value` }));
  const name = stemsOf(nameWords(tool).join(' '));
  // "Print the date" is an example of what a shell does, not what it is for.
  const isOnSomethingCommon = (word: string): boolean => {
    const thing = objectIn(word, queries, object)?.split(' ').at(-1);
    if (thing === undefined || object?.endsWith(thing)) return true;
    const saying = queries.filter((query) => words(query).includes(thing));
    return saying.length > 1 || name.has(stem(thing));
  };
  const found = missingWords(sure, `${tool.name} ${JSON.stringify(tool.inputSchema)}`, {
    maxWords,
    minShare: 0,
    accept: (word) =>
      !claimed.has(word) &&
      roleOf(word, queries, object) !== null &&
      accept(word) &&
      isOnSomethingCommon(word) &&
      // What one request says is not what all are about, unless it is near what the name says.
      (queries.filter((query) => words(query).includes(word)).length > 1 ||
        groupsOf(stem(word)).some((group) => near.has(group))),
  });
  const use = found.length === 0 ? null : useSentence(found, queries, object);
  // "Use it to find mentions" says no more than "Get my mentions".
  const isNew = [...stemsOf(use ?? '')].some(
    (each) =>
      !name.has(each) && !reads.has(each) && !groupsOf(each).some((group) => near.has(group)),
  );
  return isNew ? use : null;
}

/**
 * A description for a tool whose own says nothing: from its name, parameters and output schema, the
 * words of failing requests, and what a sibling is for that its description was about. In the style
 * of the server's other tools.
 */
export function draftAdvice(
  tool: AnalysedTool & { outputSchema?: JsonObject | null },
  tools: readonly AnalysedTool[],
  requests: readonly FailedRequest[],
  accept: (word: string) => boolean = () => true,
): Advice | null {
  const why = saysNothing(tool, tools);
  if (why === null) return null;
  const others = tools.filter((other) => other !== tool && other.name !== tool.name);
  const siblings = others.filter(({ server }) => server === tool.server);
  const about = siblings.find(({ name }) => why.endsWith(` is about ${name}.`));
  // Where two were swapped, the text of the other one is about this tool.
  const purpose = about?.description === tool.description ? purposeOf(about.description) : null;
  const output = tool.outputSchema?.['properties'];
  const returned = isJsonObject(output) ? Object.keys(output) : [];
  const opened = opening(tool, siblings, why);
  if (opened === null) return null;
  const use = requestSentence(tool, requests, others, accept);
  const rest = [
    use,
    ...parameterSentences(tool, opened),
    returned.length > 0 && returned.length <= maxListed
      ? `Returns the ${listed(returned.map(spoken), 'and')}.`
      : null,
    about && purpose && sharesNoun(tool, about)
      ? `To ${purpose}, use ${about.name} instead.`
      : null,
  ].filter((sentence) => sentence !== null);
  const newText = [opened.text, ...rest].join(' ');
  // A sentence that repeats the name is no trouble until a request says what it lacks.
  if (newText.startsWith(tool.description.trim()) && tool.description.trim() !== '' && use === null)
    return null;
  return {
    kind: 'draft',
    ...describedAs(tool, newText),
    why,
    evidence: { requests: requests.map(({ query }) => query), words: [] },
  };
}

/** Whether the names of two tools are of the same thing, so that they can be confused. */
function sharesNoun(a: AnalysedTool, b: AnalysedTool): boolean {
  const theirs = nounsOf(nameWords(b));
  return nounsOf(nameWords(a)).some((stem) => theirs.includes(stem));
}

const parameterNames = ({ properties }: JsonObject): string[] =>
  isJsonObject(properties) ? Object.keys(properties) : [];
