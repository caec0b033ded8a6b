import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { wordInFull } from '../abbreviations.ts';
import { contentTerms, hasContent } from '../contentTerms.ts';
import { words } from '../tokenizer.ts';
import { baseVerb } from './purpose.ts';
import { indefinite, isPlural, isUncounted, plural, spoken, withAnyArticle } from './spoken.ts';
import { determiners, openingWord, prepositions, readName, reads } from './toolName.ts';

/** More words than these make no readable end of a sentence. */
const maxAppended = 3;
const listNouns = new Set(['list', 'set', 'collection']);
const countNouns = new Set(['count', 'number', 'total', 'list']);
const joins = new Set(['and', 'or']);
/** What follows these is how something is done, which is not the thing of a name. */
const means = new Set('as at between by using via with'.split(' '));
const places = new Set('about across against inside through within'.split(' '));
const minForm = 6;

/**
 * A description that ends in the middle of a sentence, with the thing that the tool's name ends with:
 * "Get a detailed" of `get_version_history` → "Get a detailed version history." Null where the
 * end of the text doesn't say what has to follow.
 *
 * @param said what the name of the tool says as a sentence
 */
export function completedText(
  tool: AnalysedTool,
  siblings: readonly AnalysedTool[],
  said: string,
): string | null {
  const name = readName(tool, siblings);
  if (name === null || name.isBatch || name.verb === null) return null;
  const text = withProperName(tool.description.trim(), siblings);
  // What follows a comma is not known, and a name is no beginning of a sentence.
  if (/[^\p{L}\p{N}]$/u.test(text) || words(text).join(' ') === words(tool.name).join(' '))
    return null;
  const own = text.split(/\s+/u);
  // A label or a noun phrase in front needs more than a thing to become a sentence.
  const first = openingWord(text);
  if (baseVerb(first) === null && !reads.has(first)) return null;
  const last = (own.at(-1) ?? '').toLowerCase();
  const to = name.object.findIndex((word) => prepositions.has(word) || determiners.has(word));
  const head = to < 0 ? name.object : name.object.slice(0, to);
  const rest = notSaid(head, text);
  if (rest.length === 0 || rest.length > maxAppended || !endsAlike(rest, head)) return null;
  // "Save the credentials." of "save_credentials_to_file" loses where to.
  if (to >= 0 && notSaid(name.object.slice(to), text).some(hasContent)) return null;
  const thing = spoken(rest.join('_'));
  if (joins.has(last)) return joinedVerbs(own, name.verb, said);
  if (means.has(last)) return null;
  const before = own.at(-2)?.toLowerCase() ?? '';
  if (prepositions.has(last) || places.has(last))
    return isAmount(before) ? null : ofThing(text, rest, thing);
  // "Get the total" of a count would count twice.
  if (countNouns.has(last) && countNouns.has(rest.at(-1) ?? '')) return null;
  if (listNouns.has(last)) return `${text} of ${plural(thing)}.`;
  if (last === 'a' || last === 'an') {
    if (isPlural(rest.at(-1) ?? '') || isUncounted(thing)) return null;
    return `${own.slice(0, -1).join(' ')} ${indefinite(thing)} ${thing}.`;
  }
  // A verb alone or a participle doesn't say what follows; an article before a plural is a wrong guess.
  if (baseVerb(last) !== null || last.endsWith('ing')) return null;
  const isOne = own.some((word) => /^(?:an?|one|single|each|every|another)$/iu.test(word));
  if (isOne && (isPlural(rest.at(-1) ?? '') || isUncounted(thing))) return null;
  // "Get detailed information" about something; what else a thing has is not known to be of this one.
  if (last === 'information' || last === 'details')
    return rest.length === head.length ? `${text} about ${withAnyArticle(thing)}.` : null;
  if (!leadsOn(last, own.at(-1) ?? '', name.object, siblings)) return null;
  const isMeant = own.some((word) => determiners.has(word.toLowerCase()) || /['’]s$/u.test(word));
  if (isPlural(last) && !determiners.has(last) && !/['’]s$/u.test(last)) return null;
  return isMeant || rest.length < maxAppended ? `${text} ${thing}.` : null;
}

/** "one to" a thing may be one to six of them. */
const isAmount = (word: string): boolean =>
  /^(?:\d.*|one|two|three|four|five|six|seven|eight|nine|ten|up|from|between)$/u.test(word);

/** Words that a noun has to follow, besides adjectives of the endings of these. */
const leading =
  /^(?:new|existing|specific|single|given|current|certain|recent|latest|full|raw|own|main|whole|complete|entire|each|every|another|this|that|its|their|your|the|any|all|some|several|multiple|both|my|local|global)$|(?:al|ed|ive|ous|ful|able|ible|less|est)$|['’]s$/u;

/**
 * Whether a noun can follow a text that ends with this word: an adjective, a word of the tool's name
 * or a name that the server uses. "Update the quantity" is of something that no name tells, and an
 * abbreviation ("Get the URL") is mostly a thing by itself.
 */
function leadsOn(
  last: string,
  written: string,
  object: readonly string[],
  siblings: readonly AnalysedTool[],
): boolean {
  const isName =
    /^\p{Lu}\P{Lu}/u.test(written) &&
    siblings.some(({ description }) => words(description).includes(last));
  return leading.test(last) || object.includes(wordInFull(last)) || isName;
}

/** The words of a name that a text doesn't say in any form. */
function notSaid(object: readonly string[], text: string): string[] {
  const said = words(text).map(wordInFull);
  const letters = said.join('');
  const stems = new Set(contentTerms(said.join(' ')).map((term) => term.stem));
  return object.filter(
    (word) =>
      !contentTerms(word).every((term) => stems.has(term.stem)) &&
      !letters.includes(word) &&
      !said.some((other) => word.length >= minForm && other.startsWith(word.slice(0, minForm))),
  );
}

/** Whether words are the end of a name: what is in the middle can't follow a text. */
const endsAlike = (rest: readonly string[], object: readonly string[]): boolean =>
  rest.every((word, at) => object.at(at - rest.length) === word);

/** "Read, decompress, and" → "Read, decompress, and inspect the set." */
function joinedVerbs(own: readonly string[], verb: string, said: string): string | null {
  const verbs = own.slice(0, -1).map((word) => word.replace(/,$/u, ''));
  const known = verbs.map((word) => baseVerb(word));
  if (known.some((each) => each === null) || known.includes(verb)) return null;
  // "Reads and" needs the verb in the same form.
  const isBase = verbs.every((word, at) => word.toLowerCase() === known[at]);
  if (isBase !== said.toLowerCase().startsWith(`${verb} `)) return null;
  return `${own.join(' ')} ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
}

/** "Returns number of" → "Returns number of flights."; "across" → "across a group". */
function ofThing(text: string, rest: readonly string[], thing: string): string | null {
  const isCount = countNouns.has(rest.at(-1) ?? '');
  if (isCount) {
    const counted = rest.slice(0, -1);
    return counted.length > 0 && isPlural(counted.at(-1) ?? '')
      ? `${text} ${spoken(counted.join('_'))}.`
      : null;
  }
  return `${text} ${withAnyArticle(thing)}.`;
}

/** "Validate Home" → "Validate Home Assistant", if siblings always say so. */
function withProperName(text: string, siblings: readonly AnalysedTool[]): string {
  const last = /(?<=\s)\p{Lu}\p{Ll}+$/u.exec(text)?.[0];
  if (last === undefined) return text;
  const next = siblings.flatMap(({ description }) =>
    [...description.matchAll(new RegExp(`\\b${last}\\s+(\\p{L}+)`, 'gu'))].map((found) => found[1]),
  );
  const [first, second] = next;
  return first !== undefined &&
    second !== undefined &&
    /^\p{Lu}\p{Ll}+$/u.test(first) &&
    next.every((word) => word?.startsWith(first))
    ? `${text} ${first}`
    : text;
}
