import type { Advice } from '../../../src-shared/domain/advice.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { contentTerms, stem } from '../contentTerms.ts';
import { missingWords, type FailedRequest } from '../missingWords.ts';
import { groupsOf } from '../relatedWords.ts';
import { words } from '../tokenizer.ts';
import { baseVerb, purposeOf } from './purpose.ts';
import { listed, nameWords, roleOf, useSentence } from './useSentence.ts';

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
 * most other tools of the server; has no word of the name and the schema; or is about another tool of the server, of whose name it has every
 * word and none of its own, and which has the same description or is about this one.
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
  if (news.every((stem) => fillers.has(stem))) return `The description of ${name} fits any tool.`;
  if (isStray(tool, said, own))
    return `The description of ${name} has no word of its name or parameters.`;
  const nouns = new Set(nounsOf(nameWords(tool)));
  const siblings = tools.filter((other) => other.server === server && other.name !== name);
  const about = siblings.find(
    (other) =>
      isAbout(said, nameWords(other), nouns) &&
      (other.description === description ||
        // The two were swapped: each speaks of the other.
        isAbout(
          [...stemsOf(other.description)],
          nameWords(tool),
          new Set(nounsOf(nameWords(other))),
        )),
  );
  if (about !== undefined) return `The description of ${name} is about ${about.name}.`;
  const readable = siblings.filter((other) => isEnglish(other.description));
  const isForeign = !isEnglish(description) && (description.match(english) ?? []).length < 2;
  return isForeign && readable.length * 2 > siblings.length
    ? `The description of ${name} is in another language than most of its server.`
    : null;
}

const minStrayWords = 3;

/**
 * Whether a text has no word of its tool's name and schema, neither a form of one nor a related one.
 * Of 3,496 real tools, 8 are so.
 */
function isStray(
  { description, inputSchema }: AnalysedTool,
  said: readonly string[],
  own: ReadonlySet<string>,
): boolean {
  if (said.length < minStrayWords || !isEnglish(description)) return false;
  const known = [...own, ...stemsOf(JSON.stringify(inputSchema))];
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

/** Whether a text has every word of another name that this name lacks, and no word of this name. */
function isAbout(
  said: readonly string[],
  other: readonly string[],
  own: ReadonlySet<string>,
): boolean {
  const theirs = nounsOf(other).filter((stem) => !own.has(stem));
  const mine = [...own].filter((stem) => !stemsOf(other.join(' ')).has(stem));
  return (
    theirs.length > 0 &&
    mine.length > 0 &&
    theirs.every((stem) => said.includes(stem)) &&
    !mine.some((stem) => said.includes(stem))
  );
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
    .map((word) => (word === 'id' || word === 'url' ? word.toUpperCase() : word))
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
  if (why.endsWith('than its name.') && !isBare && more.length > 0 && baseVerb(start) !== null)
    return /[.!?]$/u.test(text) ? text : `${text}.`;
  const parts = nameWords(tool);
  const at = parts.length > 1 ? parts.findIndex((word) => baseVerb(word) !== null) : -1;
  const verb = at < 0 ? null : baseVerb(parts[at] ?? '');
  const style = speaksInThirdPerson(siblings) ? thirdPerson : (word: string) => word;
  const [before, after] = [parts.slice(0, Math.max(0, at)), parts.slice(at + 1)];
  const object =
    after.length > 0 && before.length > 0
      ? `${after.map(spoken).join(' ')} (${before.join(' ')})`
      : [...before, ...after].map(spoken).join(' ');
  return `${capital(`${style(verb ?? 'provide')} ${object}`)}.`;
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
  // Requests may name values that were not expected of them, so each counts as sure.
  const sure = requests.map(({ query, values }) => ({ query, values: `${values} value` }));
  const found = missingWords(sure, `${tool.name} ${JSON.stringify(tool.inputSchema)}`, {
    maxWords,
    minShare: 0,
    accept: (word) =>
      !claimed.has(word) &&
      roleOf(word, queries) !== null &&
      accept(word) &&
      // A word that one request says must be a known word, not what that request is about.
      (queries.filter((query) => words(query).includes(word)).length > 1 ||
        groupsOf(stem(word)).length > 0),
  });
  return found.length === 0 ? null : useSentence(found, queries);
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
  const newText = [
    opening(tool, siblings, why),
    use,
    ...parameterSentences(tool),
    returned.length > 0 && returned.length <= maxListed
      ? `Returns the ${listed(returned.map(spoken), 'and')}.`
      : null,
    about && purpose ? `To ${purpose}, use ${about.name} instead.` : null,
  ]
    .filter((sentence) => sentence !== null)
    .join(' ');
  // A sentence that repeats the name is no trouble until a request says what it lacks.
  if (newText.startsWith(tool.description.trim()) && tool.description.trim() !== '' && use === null)
    return null;
  const id = toolId(tool.server, tool.name);
  return {
    kind: 'draft',
    toolIds: [id],
    edits: [
      {
        type: 'text',
        toolId: id,
        path: '/description',
        oldText: tool.description,
        newText,
        inserted: newText,
      },
    ],
    why,
    evidence: { requests: requests.map(({ query }) => query), words: [] },
  };
}
