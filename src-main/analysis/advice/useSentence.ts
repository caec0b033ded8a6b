import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { contentTerms, hasContent, stem, words } from '../tokenizer.ts';
import { groupsOf } from '../relatedWords.ts';
import { baseVerb } from './purpose.ts';
import { capital, listed, withAnyArticle } from './spoken.ts';

/** Verbs that say nothing about what a tool is for. */
const generic = new Set(
  'get give take look set put like show handle return run use provide perform wait type test'.split(
    ' ',
  ),
);

/** Words that say when, where or how, never what: no sentence is made of them. */
const vague = new Set(
  `
    about actually again ago ahead almost already also although always anybody anymore anyone
    anything anyway anywhere apart around aside away back because before besides beyond certain
    completely day days definitely directly early easily either else enough entirely especially ever
    everybody everyone everything everywhere exactly except far fast finally fine first forward
    fully good great hence hour hours however immediately instead just keep kind last late lately
    later least less little long lot lots many maybe meanwhile middle minute minutes moment month
    months much near nearly neither never new next nice nobody none nothing now number numbers often
    old once others otherwise page people perhaps person place possible possibly probably quick
    quickly quite rather really right second seconds seem several simply since somebody someday
    somehow someone something sometime sometimes somewhere soon still stuff sure then thing things
    though three through till time today together tomorrow tonight too toward towards two unless
    until usually way week weeks well whatever whenever wherever whether while within without word
    words year years yesterday yet
  `
    .trim()
    .split(/\s+/u),
);

/** A word of a request that is an action ("restart"), and no other part of speech after "the". */
const isAction = (word: string): boolean => baseVerb(word) === word && !generic.has(word);

const determiner =
  '(?:a|an|the|my|our|your|their|his|her|its|this|that|these|those|any|all|some|which|no|many|much|every|each|how many)';
const preposition = '(?:of|about|for|with|in|on|from|per|under|into|by|between|without)';
/** What follows the last word of a noun phrase: the end, a mark, or a function word. */
const ends =
  '(?=\\s*(?:[.,;:?!)"”]|$)|\\s+(?:of|about|for|with|in|on|at|from|to|by|and|or|but|that|which|who|is|are|was|were|has|have|does|do|did|will|can|should|if|when|while|as|than|into|behind|under|over|without|between|near|now|right|again|please|today|tomorrow|yesterday)\\b)';
const opens = '(?:^|[.!?,;:] |\\b(?:to|please|can you|could you|and|then|or|i want to) )';
const pronoun = '(?:it|them|this|that|these|those)';

const pattern = (source: string): RegExp => new RegExp(source, 'iu');
const escapeOf = (word: string): string => word.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`);

/** Whether a request has a word done to something that it only points at: "sweep and polish it". */
const isDoneToIt = (word: string, queries: readonly string[]): boolean =>
  !vague.has(word) &&
  !generic.has(word) &&
  queries.some((query) =>
    pattern(`${opens}${escapeOf(word)}(?: (?:and|or) [a-z]+)? ${pronoun}${ends}`).test(
      query.trim(),
    ),
  );

/**
 * The object that a request gives to an action: "Restart the deployment web" → a deployment. Of
 * "restart it", the object is what the tool works on, if that is known.
 */
function objectIn(verb: string, queries: readonly string[], own: string | null): string | null {
  return (
    (isAction(verb) ? namedObject(verb, queries) : null) ??
    (own !== null && isDoneToIt(verb, queries) ? own : null)
  );
}

function namedObject(verb: string, queries: readonly string[]): string | null {
  const found = pattern(
    `${opens}${escapeOf(verb)} (?<article>${determiner} )?(?<noun>[a-z]{3,})${ends}`,
  );
  for (const query of queries) {
    const { article, noun: given } = found.exec(query.trim())?.groups ?? {};
    const noun = given?.toLowerCase();
    if (noun === undefined || vague.has(noun) || !hasContent(noun)) continue;
    if (article === undefined && baseVerb(noun) !== null) continue;
    return withAnyArticle(noun);
  }
  return null;
}

/**
 * How a request uses a word: as what it wants done, with an object, or as what it is about, at the
 * end of a noun phrase; null if neither is sure.
 */
export function roleOf(
  word: string,
  queries: readonly string[],
  object: string | null = null,
): 'verb' | 'noun' | null {
  const own = queries.filter((query) => words(query).includes(word));
  if (objectIn(word, own, object) !== null) return 'verb';
  if (vague.has(word) || generic.has(word) || /ly$|\d/u.test(word)) return null;
  const escaped = escapeOf(word);
  // A name is capitalized wherever it is said.
  const isName = own.every((query) =>
    new RegExp(`(?<=\\S\\s+)(?:${capital(escaped)}|${escaped.toUpperCase()})\\b`, 'u').test(query),
  );
  const isPlural = /[^s]s$/u.test(word) && baseVerb(word) === null;
  const before = isPlural
    ? `(?:(?:${determiner}|${preposition})\\s+(?:[a-z]+\\s+)?|(?:^|\\s))`
    : `(?:${determiner}|${preposition})\\s+`;
  return !isName && own.some((query) => pattern(`\\b${before}${escaped}${ends}`).test(query))
    ? 'noun'
    : null;
}

/** The words of a name without those of its server in front: "discourse_list_posts" → list, posts. */
export function nameWords({ server, name }: AnalysedTool): string[] {
  const own = words(name);
  const servers = new Set(words(server));
  const start = own.findIndex((word) => !servers.has(word));
  return start < 0 ? own : own.slice(start);
}

/**
 * Whether a text has the thing that a tool's name ends with, or a related word. A name of one word is
 * often a label ("pantry"), which its text need not repeat.
 */
export function namesHead(tool: AnalysedTool, text: string): boolean {
  const nouns = nameWords(tool).filter((word) => baseVerb(word) === null && hasContent(word));
  const head = stem(nouns.at(-1) ?? '');
  const groups = new Set(groupsOf(head));
  return (
    head === '' ||
    nameWords(tool).length < 2 ||
    contentTerms(text).some(
      (term) =>
        term.stem === head ||
        groupsOf(term.stem).some((group) => groups.has(group)) ||
        (term.stem.length > 3 && head.startsWith(term.stem.slice(0, 4))),
    )
  );
}

/** "waves", "a member", "the swell": a noun with the article that a request gives it. */
function withArticle(noun: string, queries: readonly string[]): string {
  if (/[^s]s$/u.test(noun)) return noun;
  const article = pattern(`\\b(an?)\\s+${escapeOf(noun)}\\b`);
  const found = queries.map((query) => article.exec(query)?.[1]?.toLowerCase());
  const own = found.find((each) => each !== undefined);
  if (own !== undefined) return `${own} ${noun}`;
  return uncounted.test(noun) ? noun : `the ${noun}`;
}
/** Nouns of this form are seldom one thing among several. */
const uncounted = /(?:ation|ness|ity|ance|ence|ware|ing)$/u;

/**
 * What a tool works on: the nouns after the verb of its name ("add_task" → "a task"), or the object
 * that opens its description ("Handles houses." → "houses"); null if neither is plain.
 */
export function objectOf(tool: AnalysedTool): string | null {
  const parts = nameWords(tool);
  const at = parts.findIndex((word) => baseVerb(word) !== null);
  const nouns = at < 0 ? [] : parts.slice(at + 1);
  if (nouns.length > 0 && nouns.length < 3 && nouns.every((word) => /^[a-z]{3,}$/u.test(word)))
    return withAnyArticle(nouns.join(' '));
  const [, verb = '', object = ''] =
    /^([A-Z][a-z]+) ((?:(?:a|an|the|one|all) )?(?:[a-z-]+ )?[a-z-]{3,})(?=[.,;:]|$| (?:of|about|for|with|in|on|at|from|to|by|and|or|into|as)\b)/u.exec(
      tool.description.trim(),
    ) ?? [];
  return baseVerb(verb) === null || object === '' ? null : object;
}

/**
 * A sentence that says with words of requests what a tool is for: "Use it to restart a deployment or
 * pause an update.", or, if they name no action, "Use it for waves or the swell." Null if the words make none.
 *
 * @param object what the tool works on, for requests that say "it"
 */
export function useSentence(
  found: readonly string[],
  queries: readonly string[],
  object: string | null = null,
): string | null {
  const roles = found.map((word) => ({ word, role: roleOf(word, queries, object) }));
  const objects = new Map<string, string[]>();
  for (const { word, role } of roles) {
    const its = role === 'verb' ? objectIn(word, queries, object) : null;
    if (its !== null) objects.set(its, [...(objects.get(its) ?? []), word]);
  }
  const actions = [...objects].map(([its, verbs]) => `${listed(verbs)} ${its}`);
  const things = roles.flatMap(({ word, role }) =>
    role === 'noun' ? [withArticle(word, queries)] : [],
  );
  // An action says more, and both in one sentence read badly.
  if (actions.length > 0) return `Use it to ${listed(actions)}.`;
  return things.length > 0 ? `Use it for ${listed(things)}.` : null;
}

const particle = '(?<particle>apart|aside|away|back|down|off|out|together|up)';
const maxVerbs = 3;

/**
 * What requests ask to be done to the object of a tool, by a verb whose particle two of them share:
 * "File message 118 away" and "Please tuck it away" make "Use it to file or tuck a message away." No
 * single word of them says that. Null if there are no two, or the object isn't known.
 *
 * @param others names of other tools: their words would draw their requests
 */
export function particleSentence(
  tool: AnalysedTool,
  queries: readonly string[],
  others: readonly string[],
): string | null {
  const object = objectOf(tool);
  if (object === null) return null;
  const [head = ''] = object.split(' ').slice(-1);
  const claimed = new Set(others.flatMap((name) => words(name)));
  // "File the email away": the server is about mail.
  const alike = new Set([head, ...words(tool.server)].flatMap((word) => groupsOf(stem(word))));
  const isObject = (noun: string): boolean =>
    new RegExp(`^${pronoun}$`, 'u').test(noun) ||
    stem(noun) === stem(head) ||
    groupsOf(stem(noun)).some((group) => alike.has(group));
  const said = pattern(
    `${opens}(?<verb>[a-z]{3,})\\s+(?:${determiner}\\s+)?(?<noun>[a-z]{2,})(?:\\s+#?\\d+)?\\s+${particle}\\b`,
  );
  const verbs = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  for (const query of queries) {
    const groups = said.exec(query.trim().toLowerCase())?.groups ?? {};
    const { verb = '', noun = '', particle: how = '' } = groups;
    if (how === '' || !isObject(noun)) continue;
    counts.set(how, (counts.get(how) ?? 0) + 1);
    if (generic.has(verb) || vague.has(verb) || claimed.has(verb) || !hasContent(verb)) continue;
    verbs.set(how, (verbs.get(how) ?? new Set()).add(verb));
  }
  const [most] = [...counts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1]);
  const found = [...(verbs.get(most?.[0] ?? '') ?? [])].slice(0, maxVerbs);
  return most === undefined || found.length === 0
    ? null
    : `Use it to ${listed(found)} ${object} ${most[0]}.`;
}

/** Whether a sentence of request words names one thing alone, which may be an example: "Use it for status." */
export const isOneThing = (sentence: string): boolean =>
  sentence.startsWith('Use it for ') && !/ or |,/u.test(sentence);
