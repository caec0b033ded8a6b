import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { wordInFull } from '../abbreviations.ts';
import { words } from '../tokenizer.ts';
import { parameterNouns, type ParameterNoun } from './parameterNouns.ts';
import { baseVerb } from './purpose.ts';
import {
  capital,
  indefinite,
  isPlural,
  listed,
  plural,
  singular,
  spoken,
  withAnyArticle,
} from './spoken.ts';
import { nameWords } from './useSentence.ts';

/** What the name of a tool says together with its parameters, as a sentence. */
interface NameSentence {
  text: string;
  /** Names of the parameters that the sentence speaks of. */
  said: ReadonlySet<string>;
  /** What the tool does, in its base form; null if the name has no known verb. */
  verb: string | null;
}

/** Verbs after which a thing is a new one. */
const creates = new Set('add book build create draft generate insert register'.split(' '));
const towards = new Set(
  'add append apply assign attach insert post publish push send share upload write'.split(' '),
);
const awayFrom = new Set('detach disconnect pull remove uninstall'.split(' '));
/** Verbs for what is only looked up. */
export const reads: ReadonlySet<string> = new Set(
  'describe download export fetch find get list load look lookup query read retrieve search show view'.split(
    ' ',
  ),
);
/** Verbs that are nouns as often: behind a noun, or before another verb, they name a thing. */
const nouns = new Set(
  (
    'check comment count display file fork format group index issue label like link list log map ' +
    'mark order pin post process record report request review schedule share sort star tag test ' +
    'trace transfer type view visit watch'
  ).split(' '),
);
const adjectives = new Set('local global advanced full quick raw current new all'.split(' '));
const many = new Set(['batch', 'bulk', 'mass', 'multi', 'multiple']);
const prepositions = new Set('to from in into on onto for of with by at between'.split(' '));
const determiners = new Set('a an the my all any each every new'.split(' '));
/** Nouns that stand for anything: the values of a type say more. */
const anyThing = new Set('item items entity entities object objects resource resources'.split(' '));
const typeWords = new Set(['type', 'kind', 'entity']);
const actionWords = new Set(['operation', 'action', 'command', 'subcommand', 'method', 'mode']);
const management = new Set(
  'management manager operations operation admin actions action tool tools control'.split(' '),
);

const thirdPerson = (verb: string): string =>
  /(?:s|sh|ch|x|z|o)$/u.test(verb)
    ? `${verb}es`
    : /[^aeiou]y$/u.test(verb)
      ? `${verb.slice(0, -1)}ies`
      : `${verb}s`;

/** Whether the other tools of a server say "Lists …" rather than "List …". */
function speaksInThirdPerson(siblings: readonly AnalysedTool[]): boolean {
  const firsts = siblings.map(({ description }) => words(description)[0] ?? '');
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
      : [baseVerb(words(other.description)[0] ?? '') ?? ''],
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
  const endsInAction = parts.length > 1 && action === parts.length - 1;
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

/**
 * What a tool does by its name, its parameters and the habit of its server: "Get the positions of an
 * account." of `get_positions` with `accountId`. Null if the name holds no action that is sure.
 */
export function nameSentence(
  tool: AnalysedTool,
  siblings: readonly AnalysedTool[],
): NameSentence | null {
  const parts = withoutPrefix(nameWords(tool), siblings)
    .filter((word, at) => !/^v?\d+$/u.test(word) && !(at > 0 && /^tools?$/u.test(word)))
    .map(wordInFull);
  if (parts.some((word) => word.length === 1 && word !== 'a')) return null;
  const parameters = parameterNouns(tool.inputSchema);
  const at = verbAt(parts, siblings);
  const verb = baseVerb(parts[at] ?? '') ?? verbOfNouns(siblings);
  if (verb === null) return withoutVerb(parts, parameters, siblings);
  const style = speaksInThirdPerson(siblings) ? thirdPerson : (word: string) => word;
  const servers = new Set(words(tool.server));
  const shared = new Set(siblings.map((other) => nameWords(other)[0] ?? ''));
  const isBatch = [parts[at - 1], parts[at + 1]].some((word) => many.has(word ?? ''));
  const inFront = parts
    .slice(0, Math.max(0, at))
    .filter((word) => !(isBatch && many.has(word)) && !(shared.has(word) && at < parts.length - 1));
  const named = parts.slice(at + 1).filter((word) => !(isBatch && many.has(word)));
  // "a_product_variant": an article in front is no part of the name.
  const behind = /^(?:an?|the)$/u.test(named[0] ?? '') ? named.slice(1) : named;
  const isOpen = behind.some((word) => determiners.has(word) || prepositions.has(word));
  const object = [...(isOpen ? [] : inFront), ...behind];
  return sentenceOf(
    { verb, spoken: style(verb), object, isBatch, servers },
    parameters.filter(({ required }) => required),
  );
}

/** A name that holds no known verb: what its actions are, or an unknown verb before its objects. */
function withoutVerb(
  parts: readonly string[],
  parameters: readonly ParameterNoun[],
  siblings: readonly AnalysedTool[],
): NameSentence | null {
  // "kubectl_rollout" among "kubectl_get" and "kubectl_scale": the program is not what is managed.
  const like = siblings.map(nameWords).filter(([first, next = '']) => {
    return first === parts[0] && baseVerb(next) !== null;
  });
  const actions = parameters.find(
    ({ name, required, values }) =>
      required && values.length > 0 && actionWords.has(words(name).at(-1) ?? ''),
  );
  const managed = parts
    .slice(like.length >= 3 && parts.length > 1 ? 1 : 0)
    .filter((word) => !management.has(word));
  if (actions && managed.length > 0 && parts.length > 1) {
    const thing = plural(spoken(managed.join('_')));
    return {
      text: `Manage ${thing}: ${listed(actions.values)}.`,
      said: new Set([actions.name]),
      verb: 'manage',
    };
  }
  const [first = '', ...rest] = parts;
  return rest.length > 0 && isPlural(rest.at(-1) ?? '') && !isPlural(first)
    ? { text: `${capital(parts.map(spoken).join(' '))}.`, said: new Set(), verb: null }
    : null;
}

interface Action {
  verb: string;
  /** The verb as the server speaks. */
  spoken: string;
  /** The words of the name besides the verb and marks of batches. */
  object: readonly string[];
  isBatch: boolean;
  servers: ReadonlySet<string>;
}

function sentenceOf(action: Action, parameters: readonly ParameterNoun[]): NameSentence | null {
  const said = new Set<string>();
  const { verb, object } = action;
  const cut = object.findIndex((word) => prepositions.has(word));
  const head = cut < 0 ? object : object.slice(0, cut);
  const tail = cut < 0 ? '' : tailOf(object.slice(cut));
  const kinds =
    parameters.find((each) => isTypeOf(each, head, action.servers)) ??
    parameters
      .filter(({ noun }) => noun === singular(head.join(' ')))
      .flatMap(({ items }) => items)
      .find((each) => isTypeOf(each, head, action.servers));
  if (kinds) {
    said.add(kinds.name);
    for (const each of parameters)
      if (each.identifies !== null || each.items.includes(kinds)) said.add(each.name);
    const types = typesOf(kinds, head, action.isBatch);
    const all = action.isBatch ? ' at once' : '';
    return { text: `${capital(action.spoken)} ${types}${tail}${all}.`, said, verb };
  }
  const content = head.length === 0 && !reads.has(verb) ? parameters.find(isContent) : undefined;
  if (content) said.add(content.name);
  const own = content ? [content.spoken] : [...head];
  const thing = own.join(' ');
  // "Hover." says nothing, and nothing says over what.
  if (thing === '' || (own.length === 1 && adjectives.has(thing))) return null;
  const { kept, owner } = withoutOwners(own, parameters, verb, said);
  // What the name speaks of may be a parameter, by its ID, its name or as it is.
  const spokenOf = new Set([...object.map(singular), verb]);
  const isOne = !isPlural(kept.at(-1) ?? '');
  const itself = parameters.filter(({ noun, identifies }) =>
    noun === ''
      ? identifies !== null && isOne
      : noun.split(' ').every((word) => spokenOf.has(word)),
  );
  for (const { name } of itself) said.add(name);
  const place = owner ?? (tail === '' && !content ? containerOf(parameters, kept, verb, said) : '');
  const last = singular(kept.at(-1) ?? '');
  const isItself = itself.some(({ noun }) => noun === '' || noun.split(' ').at(-1) === last);
  const isGiven = isItself || content !== undefined || tail !== '' || action.isBatch;
  const object_ = withArticle(
    kept,
    verb,
    isGiven,
    place.startsWith(' of') && itself.every(({ noun }) => noun === '' || !kept.includes(noun)),
    action.isBatch,
  );
  const isBare = tail === '' && place === '' && !content;
  const match = isBare && !isOne ? thatMatch(verb, parameters, said) : '';
  const end = isBare && match === '' && reads.has(verb) ? placeOrTime(parameters, said) : match;
  const batch = action.isBatch ? ' at once' : '';
  const by = tail === '' && !action.isBatch ? byWhat(verb, parameters, said) : '';
  return {
    text: `${capital(action.spoken)} ${object_}${tail}${place}${end}${by}${batch}.`,
    said,
    verb,
  };
}

/**
 * " by card ID": how the thing is identified, if by one parameter. Several are left to another
 * sentence, and so is what a new thing belongs to.
 */
function byWhat(verb: string, parameters: readonly ParameterNoun[], said: Set<string>): string {
  const given = parameters.filter(({ name, identifies }) => identifies !== null && said.has(name));
  const isNew = creates.has(verb) || towards.has(verb);
  const [only, ...more] = given;
  if (only && more.length === 0 && !isNew) {
    // "username" says more than "name".
    if (only.noun === '' || words(only.name).length === 1) return ` by ${singular(only.spoken)}`;
    const ofFile = /path$/iu.test(only.name) ? 'path' : 'name';
    return ` by ${only.identifies === 'id' ? 'ID' : ofFile}`;
  }
  for (const { name, identifies } of given)
    if (more.length > 0 || identifies === 'id') said.delete(name);
  return '';
}

/** " for a dashboard" of what is created, " to a channel", " of a dashboard" of what there is. */
function ofOwner(verb: string, owner: string): string {
  if (towards.has(verb)) return ` ${verb === 'insert' ? 'into' : 'to'} ${owner}`;
  if (creates.has(verb)) return ` for ${owner}`;
  return ` ${awayFrom.has(verb) ? 'from' : 'of'} ${owner}`;
}

/** "from list" → " from a list"; "by email" as it is. */
function tailOf(rest: readonly string[]): string {
  const [preposition = '', ...own] = rest;
  const thing = own.map(spoken).join(' ');
  if (thing === '') return ` ${preposition}`;
  const isBare =
    preposition === 'by' ||
    own.some((word) => prepositions.has(word)) ||
    determiners.has(own[0] ?? '');
  return ` ${preposition} ${isBare ? thing : withAnyArticle(thing)}`;
}

const searches = new Set(['search', 'find', 'query']);
/** " that match a query": what a search takes. */
function thatMatch(verb: string, parameters: readonly ParameterNoun[], said: Set<string>): string {
  const found = parameters.find(
    ({ noun, name }) => /^(?:search )?(?:query|term|keyword)$/u.test(noun) && !said.has(name),
  );
  if (!searches.has(verb) || !found) return '';
  said.add(found.name);
  return ` that match ${found.isList ? plural(found.noun) : withAnyArticle(found.noun)}`;
}

const isContent = ({ noun }: ParameterNoun): boolean =>
  ['command', 'query', 'code', 'script', 'message', 'text'].includes(noun);

/** Whether the values of a parameter name the kinds of things that a tool works on. */
function isTypeOf(
  { name, values }: ParameterNoun,
  object: readonly string[],
  servers: ReadonlySet<string>,
): boolean {
  const parts = words(name);
  if (values.length === 0 || !typeWords.has(parts.at(-1) ?? '')) return false;
  const isAny = object.every((word) => anyThing.has(word) || servers.has(word));
  return isAny && parts.slice(0, -1).every((word) => object.includes(word) || anyThing.has(word));
}

function typesOf({ values }: ParameterNoun, object: readonly string[], isBatch: boolean): string {
  const isMany = isPlural(object.at(-1) ?? '') || values.every(isPlural);
  if (isBatch) return `several ${listed(values.map((value) => plural(value.toLowerCase())))}`;
  return isMany
    ? listed(values.map((value) => plural(value.toLowerCase())))
    : listed(values.map((value) => withAnyArticle(value.toLowerCase())));
}

/**
 * Nouns in front that a parameter identifies own what follows: "team members" with `team_id` are the
 * members of a team.
 */
function withoutOwners(
  object: readonly string[],
  parameters: readonly ParameterNoun[],
  verb: string,
  said: Set<string>,
): { kept: readonly string[]; owner: string | null } {
  for (let end = object.length - 1; end > 0; end -= 1) {
    const noun = singular(object.slice(0, end).join(' '));
    const owner = parameters.find((each) => each.noun === noun);
    if (!owner || prepositions.has(object[end] ?? '')) continue;
    said.add(owner.name);
    const name = spoken(noun.replaceAll(' ', '_'));
    return {
      kept: object.slice(end),
      owner: ofOwner(verb, owner.isList ? plural(name) : withAnyArticle(name)),
    };
  }
  return { kept: object, owner: null };
}

/** What a thing is in, by the last other ID that is required: " of an account", " to a channel". */
function containerOf(
  parameters: readonly ParameterNoun[],
  object: readonly string[],
  verb: string,
  said: Set<string>,
): string {
  const own = new Set(object.map(singular));
  // What is taken away may be the very thing that the ID is of.
  if (awayFrom.has(verb)) return '';
  const container = parameters.findLast(
    ({ identifies, noun }) =>
      identifies === 'id' && noun !== '' && !noun.split(' ').some((word) => own.has(word)),
  );
  if (!container) return '';
  said.add(container.name);
  const name = spoken(container.noun.replaceAll(' ', '_'));
  const thing = container.isList ? plural(name) : withAnyArticle(name);
  return ofOwner(verb, thing);
}

/** " at given coordinates", " between two dates": pairs of parameters that belong together. */
function placeOrTime(parameters: readonly ParameterNoun[], said: Set<string>): string {
  const find = (pattern: RegExp): ParameterNoun | undefined =>
    parameters.find((each) => pattern.test(words(each.name).join(' ')));
  const pair = (first: RegExp, second: RegExp, text: string): string => {
    const [one, two] = [find(first), find(second)];
    if (!one || !two) return '';
    said.add(one.name).add(two.name);
    return text;
  };
  return (
    pair(/^lat(?:itude)?$/u, /^(?:lon|lng|longitude)$/u, ' at given coordinates') +
    pair(
      /^(?:start|from|since) (?:date|day|time)$/u,
      /^(?:end|to|until) (?:date|day|time)$/u,
      ' between two dates',
    )
  );
}

/** "a" before what is created or given, "the" before another single thing. */
function withArticle(
  object: readonly string[],
  verb: string,
  isGiven: boolean,
  isOwned: boolean,
  isBatch: boolean,
): string {
  const name = object.map(spoken).join(' ');
  const [first = '', last = first] = [object[0], object.at(-1)];
  if (determiners.has(first)) return name;
  if (isPlural(last)) return isBatch ? `several ${name}` : isOwned ? `the ${name}` : name;
  if (isBatch) return `several ${plural(name)}`;
  return creates.has(verb) || (isGiven && !isOwned) ? `${indefinite(name)} ${name}` : `the ${name}`;
}
