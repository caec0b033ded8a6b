import { isJsonObject } from '../../../src-shared/domain/json.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { wordInFull, words } from '../tokenizer.ts';
import { baseVerb } from './purpose.ts';
import { isPlural, plural, singular, spoken } from './spoken.ts';
import { nameWords } from './useSentence.ts';

/** The parts of a tool's name. */
export interface ToolName {
  /** Its words in full, without what most names of the server begin with. */
  parts: readonly string[];
  /** What the tool does, in its base form; null if no verb is known. */
  verb: string | null;
  /** The verb as the server speaks. */
  spokenVerb: string;
  /** The words besides the verb, marks of batches and a variant. */
  object: readonly string[];
  isBatch: boolean;
  /** What tells the tool from siblings of the same name: "light" beside "full". */
  variant: string | null;
}

/** Verbs for what is only looked up. */
export const reads: ReadonlySet<string> = new Set(
  'describe download export fetch find get list load look lookup query read retrieve search show view'.split(
    ' ',
  ),
);
/** Verbs that are nouns as often: behind a noun, or before another verb, they name a thing. */
const nouns = new Set(
  (
    'block build check claim comment commit count display file fork format forward group index issue ' +
    'label like link list lock log map mark monitor order patch pin ping plan post process rank rate record ' +
    'release report request review run scale schedule scroll share sort star tag test trace transfer ' +
    'type view visit watch'
  ).split(' '),
);
export const isNounToo = (verb: string): boolean => nouns.has(verb);
/** What is run or built may be one of these: "run_query". */
const results = new Set('download export filter import query search upload'.split(' '));
const many = new Set(['batch', 'bulk', 'mass', 'multi', 'multiple']);
export const prepositions = new Set(
  'to from in into on onto for of with by at as via using between'.split(' '),
);
export const determiners = new Set('a an the my all any each every new'.split(' '));

const thirdPerson = (verb: string): string =>
  /(?:s|sh|ch|x|z|o)$/u.test(verb)
    ? `${verb}es`
    : /[^aeiou]y$/u.test(verb)
      ? `${verb.slice(0, -1)}ies`
      : `${verb}s`;

/** The first word of a description, after a tag in brackets. */
const openingWord = (text: string): string => words(text.replace(/^\s*\[[^\]]*\]/u, ''))[0] ?? '';

/** Whether the other tools of a server say "Lists …" rather than "List …". */
function speaksInThirdPerson(siblings: readonly AnalysedTool[]): boolean {
  const firsts = siblings.map(({ description }) => openingWord(description));
  const verbs = firsts.filter((word) => baseVerb(word) !== null);
  return verbs.filter((word) => baseVerb(word) !== word).length * 2 >= verbs.length;
}

/**
 * The verb with which a server describes most of its tools whose names have none ("Get elevation
 * data" of `elevation`); null if there is no such habit.
 */
function verbOfNouns(siblings: readonly AnalysedTool[]): string | null {
  const verbs = siblings.flatMap((other) =>
    nameWords(other).some((word) => baseVerb(word) !== null)
      ? []
      : [baseVerb(openingWord(other.description)) ?? ''],
  );
  const counts = Map.groupBy(verbs, (verb) => verb);
  const [most] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  return most && reads.has(most[0]) && most[1].length > 1 && most[1].length * 2 > verbs.length
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

/**
 * Where the verb of a name is: in front, or at the end where the server names so
 * ("domain_record_edit"); −1 if there is none.
 */
function verbAt(parts: readonly string[], siblings: readonly AnalysedTool[]): number {
  // A plural names things: "list_pull_request_issues".
  const is = (word = ''): boolean => baseVerb(word) === word;
  const isAction = (word = ''): boolean => is(word) && !nouns.has(word);
  const action = parts.findIndex(isAction);
  // "mark_as_read": what follows a preposition is no action.
  const endsInAction =
    parts.length > 1 &&
    action === parts.length - 1 &&
    !results.has(parts.at(-1) ?? '') &&
    !prepositions.has(parts.at(-2) ?? '');
  if (is(parts[0]) && !(endsInAction && nouns.has(parts[0] ?? ''))) return 0;
  if (action >= 0) return action;
  const endsInVerbs = siblings.some((other) => {
    const theirs = nameWords(other);
    return theirs.length > 1 && theirs[0] === parts[0] && isAction(theirs.at(-1));
  });
  const last = parts.length - 1;
  return last > 0 && is(parts[last]) && endsInVerbs
    ? last
    : parts.findIndex((word, at) => at < last && is(word));
}

const variants = new Set(
  'advanced basic bulk compact detailed extended fast full lite light raw short simple'.split(' '),
);

/** The last word of a name, where a sibling has the same name with another last word, or without. */
function variantOf(tool: AnalysedTool, siblings: readonly AnalysedTool[]): string | null {
  const own = nameWords(tool);
  const last = own.at(-1) ?? '';
  // "content paginated": how, not what.
  if (own.length > 3 && /[^e]ed$/u.test(last) && !prepositions.has(own.at(-2) ?? '')) return last;
  if (own.length < 3 || !variants.has(last)) return null;
  const stem = own.slice(0, -1).join(' ');
  const isShared = siblings.some((other) => {
    const theirs = nameWords(other);
    return theirs.join(' ') === stem || theirs.slice(0, -1).join(' ') === stem;
  });
  return isShared ? last : null;
}

/**
 * What a verb at the end of a name is done to. Null if it isn't known: "kubectl" in front of most names
 * of a server is the program, and "cascading" or "ds" is no thing.
 */
function ownObject(
  object: readonly string[],
  isLast: boolean,
  siblings: readonly AnalysedTool[],
): readonly string[] | null {
  const [only = ''] = object;
  if (object.length === 1 && /^[^aeiouy]{1,3}$/u.test(only) && spoken(only) === only) return null;
  if (object.length === 1 && /[^e]ed$/u.test(only)) return null;
  if (object.length !== 1 || !isLast) return object;
  const sharing = siblings.filter((other) => nameWords(other)[0] === only).length;
  const isProgram = sharing >= minSharing && sharing * 3 > siblings.length;
  return isProgram || only.endsWith('ing') ? null : object;
}
const minSharing = 3;
/** What a thing has, and nobody makes. */
const readOnly = new Set(
  'count detail details info information statistics status summary'.split(' '),
);
const qualities = new Set(
  'active all archived current default latest new old open own pending popular recent top unread'.split(
    ' ',
  ),
);
const isQuality = (object: readonly string[]): boolean =>
  object.length === 1 &&
  (qualities.has(object[0] ?? '') || /(?:ing|[^e]ed)$/u.test(object[0] ?? ''));

/** Whether the first word of a name is a thing although it could be a verb. */
function isNamedThing({ inputSchema }: AnalysedTool, parts: readonly string[]): boolean {
  const { properties } = inputSchema;
  const [first = '', second = ''] = parts;
  const isAsked = isJsonObject(properties) && Object.hasOwn(properties, first);
  return parts.length === 2 && (readOnly.has(second) || (isAsked && isPlural(second)));
}

/** Whether a tool takes the ID of one thing: `docId` of "documents". */
function takesOne({ inputSchema }: AnalysedTool, noun: string): boolean {
  const { properties } = inputSchema;
  return (
    isJsonObject(properties) &&
    Object.keys(properties).some((name) => {
      const own = words(name);
      const [first = '', ...rest] = own.slice(0, -1);
      return (
        own.at(-1) === 'id' && (own.length === 1 || (rest.length === 0 && isShort(first, noun)))
      );
    })
  );
}

/** Whether a word is the beginning of another, as "doc" of "documents". */
export const isShort = (word: string, noun: string): boolean =>
  word.length >= minShort && noun.startsWith(word);
const minShort = 3;
/** Verbs of two words that names write as one. */
const particles = new Map([
  ['setup', 'set up'],
  ['lookup', 'look up'],
  ['login', 'log in'],
  ['logout', 'log out'],
]);

const takesSeveral = ({ inputSchema: { properties } }: AnalysedTool): boolean =>
  isJsonObject(properties) &&
  Object.values(properties).some((each) => isJsonObject(each) && each['type'] === 'array');

/** Reads the name of a tool among those of its server; null if it falls into letters. */
export function readName(tool: AnalysedTool, siblings: readonly AnalysedTool[]): ToolName | null {
  const variant = variantOf(tool, siblings);
  const all = withoutPrefix(nameWords(tool), siblings);
  const parts = (variant === null ? all : all.slice(0, -1))
    .filter((word, at) => !/^v?\d+$/u.test(word) && !(at > 0 && /^tools?$/u.test(word)))
    .map(wordInFull);
  if (parts.some((word) => word.length === 1 && word !== 'a')) return null;
  const found = verbAt(parts, siblings);
  // "build_info": what a thing has can only be read, and a thing that a parameter asks for is none.
  const isThing = nouns.has(parts[found] ?? '') && found === 0 && isNamedThing(tool, parts);
  const at = isThing ? -1 : found;
  const verb = baseVerb(parts[at] ?? '') ?? verbOfNouns(siblings) ?? (isThing ? 'get' : null);
  const style = speaksInThirdPerson(siblings) ? thirdPerson : (word: string) => word;
  const spokenAs = (one: string): string => {
    const [first = '', ...particle] = (particles.get(one) ?? one).split(' ');
    return [style(first), ...particle].join(' ');
  };
  // "create_or_update_file"
  const second = /^(?:or|and)$/u.test(parts[at + 1] ?? '') ? baseVerb(parts[at + 2] ?? '') : null;
  const end = second === null ? at + 1 : at + 3;
  const shared = new Set(siblings.map((other) => nameWords(other)[0] ?? ''));
  // "get_bulk_operation_progress" of one task: behind the verb, it may be what the thing is called.
  const isBatch =
    many.has(parts[at - 1] ?? '') || (many.has(parts[at + 1] ?? '') && takesSeveral(tool));
  const inFront = parts
    .slice(0, Math.max(0, at))
    .filter((word) => !(isBatch && many.has(word)) && !(shared.has(word) && at < parts.length - 1));
  const named = parts.slice(end).filter((word) => !(isBatch && many.has(word)));
  // "a_product_variant": an article in front is no part of the name.
  const behind = /^(?:an?|the)$/u.test(named[0] ?? '') ? named.slice(1) : named;
  const isOpen = behind.some((word) => determiners.has(word) || prepositions.has(word));
  const isLast = at > 0 && at === parts.length - 1;
  const said = [...(isOpen ? [] : inFront), ...behind];
  // "iterations_get_upcoming": the thing is in front, however many names begin with it.
  const kind = isQuality(said) ? parts.slice(Math.max(0, at - 1), Math.max(0, at)) : [];
  const object = ownObject([...said, ...kind], isLast, siblings);
  if (object === null) return null;
  const does = verb === null ? '' : spokenAs(verb);
  const spokenVerb = second === null ? does : `${does} ${parts[at + 1]} ${spokenAs(second)}`;
  // "contact_list" lists contacts.
  const last = object.at(-1) ?? '';
  const isList = isLast && verb === 'list' && !isPlural(last);
  // "documents_update" with the ID of one.
  const isOne = isLast && verb !== 'list' && isPlural(last) && takesOne(tool, last);
  const head = isList ? plural(last) : isOne ? singular(last) : last;
  const counted = object.length === 0 ? object : [...object.slice(0, -1), head];
  return { parts, verb, spokenVerb, object: counted, isBatch, variant };
}
