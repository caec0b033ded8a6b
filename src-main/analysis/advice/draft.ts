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
import { indefinite, listed, nameWords, objectOf, roleOf, useSentence } from './useSentence.ts';

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
  const spokenWords = description.trim().split(/\s+/u);
  if (spokenWords.length <= maxCutWords && cutOff.test(description.trim()))
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
const cutOff =
  /\b(?:an?|the|of|to|for|with|by|from|or|and|in|on|at|as|its|their|your|this|that|all|any|each|every|some|several|multiple|single|new|existing|specific|given|current|certain|recent|latest)$/iu;

/**
 * Whether a text has no word of its tool's name and schema, neither a form of one nor a related one.
 * Of 2,250 real tools, 3 that are described in English are so.
 */
function isStray(tool: AnalysedTool, said: readonly string[], own: ReadonlySet<string>): boolean {
  const { description, inputSchema } = tool;
  if (said.length < minStrayWords || !isEnglish(description)) return false;
  // A name that says nothing can't be missing from a text.
  if (!nameWords(tool).some(hasContent)) return false;
  const known = [
    ...own,
    ...stemsOf(words(tool.name).join(' ')),
    ...stemsOf(parameterNames(inputSchema).join(' ')),
  ];
  const groups = new Set(known.flatMap((each) => groupsOf(each)));
  return !said.some(
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

const thirdPerson = (verb: string): string =>
  /(?:s|sh|ch|x|z|o)$/u.test(verb)
    ? `${verb}es`
    : /[^aeiou]y$/u.test(verb)
      ? `${verb.slice(0, -1)}ies`
      : `${verb}s`;
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
function spoken(name: string): string {
  const parts = words(name);
  // "dropletIDs" falls into letters: it stays as it is.
  if (parts.some((word) => word.length === 1)) return name;
  return parts
    .map((word) => word.replace(/^(?:id|url)(?=s?$)/u, (letters) => letters.toUpperCase()))
    .join(' ');
}

/** Whether the other tools of a server say "Lists …" rather than "List …". */
function speaksInThirdPerson(siblings: readonly AnalysedTool[]): boolean {
  const firsts = siblings.map(({ description }) => words(description)[0] ?? '');
  const verbs = firsts.filter((word) => baseVerb(word) !== null);
  return verbs.filter((word) => baseVerb(word) !== word).length * 2 >= verbs.length;
}

const maxListed = 4;
const maxWords = 4;

/** What the tool does by its name, in the style of its server; its own text if that is a sentence. */
function opening(tool: AnalysedTool, siblings: readonly AnalysedTool[], why: string): string {
  const text = tool.description.trim();
  const [start = '', ...more] = text.split(/\s+/u);
  const isBare = !/[.!?]$/u.test(text) && words(text).join(' ') === words(tool.name).join(' ');
  const parts = withoutPrefix(nameWords(tool), siblings);
  const does = baseVerb(start);
  const doing = parts.map(baseVerb).find((each) => each !== null) ?? does;
  const isOwn = does !== null && (does === doing || !vagueVerbs.has(does));
  if (why.endsWith('than its name.') && !isBare && more.length > 0 && isOwn)
    return /[.!?]$/u.test(text) ? text : `${text}.`;
  const at = parts.length > 1 ? parts.findIndex((word) => baseVerb(word) !== null) : -1;
  const isNoun = parts.every((word) => baseVerb(word) === null);
  const verb = at >= 0 ? baseVerb(parts[at] ?? '') : isNoun ? verbOfNouns(siblings) : null;
  const style = speaksInThirdPerson(siblings) ? thirdPerson : (word: string) => word;
  const [before, after] = [parts.slice(0, Math.max(0, at)), parts.slice(at + 1)];
  const named = after.length > 0 ? after : before;
  const object = `${article(verb, named)}${named.map(spoken).join(' ')}`;
  const scope = after.length > 0 && before.length > 0 ? ` (${before.join(' ')})` : '';
  // Of an unknown word nothing says whether it is an action, so the name is taken as it is spoken.
  if (verb === null) return `${capital(parts.map(spoken).join(' '))}.`;
  return `${capital(`${style(verb)} ${object}`)}${scope}.`;
}

/**
 * The verb with which a server describes most of its tools whose names have none ("Get elevation data"
 * of `elevation`); null if there is no such habit.
 */
function verbOfNouns(siblings: readonly AnalysedTool[]): string | null {
  const verbs = siblings.flatMap((other) =>
    nameWords(other).some((word) => baseVerb(word) !== null)
      ? []
      : [baseVerb(words(other.description)[0] ?? '') ?? ''],
  );
  const counts = Map.groupBy(verbs, (verb) => verb);
  const [most] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  return most && most[0] !== '' && most[1].length > 1 && most[1].length * 2 > verbs.length
    ? most[0]
    : null;
}

/** A name without the words in front that most names of its server share: "browser_drag" → drag. */
function withoutPrefix(parts: readonly string[], siblings: readonly AnalysedTool[]): string[] {
  const names = siblings.map(nameWords);
  const isShared = (count: number): boolean =>
    names.filter((other) => parts.slice(0, count).every((word, at) => other[at] === word)).length *
      2 >
    names.length;
  let start = 0;
  while (siblings.length > 1 && start < parts.length - 1 && isShared(start + 1)) start += 1;
  // A verb in front ("list_…") says what the tool does, however many share it.
  return parts.slice(parts.slice(0, start).some((word) => baseVerb(word) !== null) ? 0 : start);
}

/** Verbs after which a thing is a new one. */
const creates = new Set('add book build create draft generate insert make register'.split(' '));
const opensPhrase =
  /^(?:a|an|the|my|all|any|each|every|by|to|from|in|on|at|of|for|with|as|and|or|not|is|has|up|out|off|down|new)$/u;

/** "a" before what is created, "the" before another single thing. */
function article(verb: string | null, object: readonly string[]): string {
  const [first = '', last = first] = [object[0], object.at(-1)];
  const isPlain = object.every((word) => /^\p{Ll}{2,}$/u.test(word));
  if (verb === null || !isPlain || opensPhrase.test(first) || /[^s]s$/u.test(last)) return '';
  if (object.some((word) => opensPhrase.test(word))) return 'the ';
  return creates.has(verb) ? `${indefinite(first)} ` : 'the ';
}

function parameterSentences(tool: AnalysedTool): string[] {
  const { properties, required } = tool.inputSchema;
  if (!isJsonObject(properties)) return [];
  const names = Object.keys(properties);
  const needed = names.filter((name) => Array.isArray(required) && required.includes(name));
  const optional = names.filter((name) => !needed.includes(name));
  return [
    ...(needed.length > 0 && needed.length <= maxListed
      ? [`Takes the ${listed(needed.map(spoken), 'and')}.`]
      : []),
    ...(optional.length > 0 && optional.length <= maxListed
      ? [`Optional: ${listed(optional.map(spoken), 'and')}.`]
      : []),
  ];
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
  const found = missingWords(sure, `${tool.name} ${JSON.stringify(tool.inputSchema)}`, {
    maxWords,
    minShare: 0,
    accept: (word) =>
      !claimed.has(word) &&
      roleOf(word, queries, object) !== null &&
      accept(word) &&
      // What one request says is not what all are about, unless it is near what the name says.
      (queries.filter((query) => words(query).includes(word)).length > 1 ||
        (roleOf(word, queries, object) === 'verb' && groupsOf(stem(word)).length > 0) ||
        groupsOf(stem(word)).some((group) => near.has(group))),
  });
  return found.length === 0 ? null : useSentence(found, queries, object);
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
  const use = requestSentence(tool, requests, others, accept);
  const rest = [
    use,
    ...parameterSentences(tool),
    returned.length > 0 && returned.length <= maxListed
      ? `Returns the ${listed(returned.map(spoken), 'and')}.`
      : null,
    about && purpose ? `To ${purpose}, use ${about.name} instead.` : null,
  ].filter((sentence) => sentence !== null);
  // A name without a verb is no description by itself.
  const hasVerb = nameWords(tool).some((word) => baseVerb(word) !== null);
  if (rest.length === 0 && !hasVerb && verbOfNouns(siblings) === null) return null;
  const newText = [opening(tool, siblings, why), ...rest].join(' ');
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

const parameterNames = ({ properties }: JsonObject): string[] =>
  isJsonObject(properties) ? Object.keys(properties) : [];
