import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { wordInFull, words } from '../tokenizer.ts';
import { parameterNouns, type ParameterNoun } from './parameterNouns.ts';
import { inSentence } from './parameterTexts.ts';
import { baseVerb } from './purpose.ts';
import { capital, isPlural, listed, plural, singular, spoken, withAnyArticle } from './spoken.ts';
import { determiners, isNounToo, isShort, prepositions, readName, reads } from './toolName.ts';
import { nameWords } from './useSentence.ts';

/** What the name of a tool says together with its parameters, as a sentence. */
interface NameSentence {
  text: string;
  /** Names of the parameters that the sentence speaks of. */
  said: ReadonlySet<string>;
  /** Those of them that it implies and doesn't name: "Add a loaf to a tray." takes both by ID. */
  implied: ReadonlySet<string>;
  /** What the tool does, in its base form; null if the name has no known verb. */
  verb: string | null;
  /** Whether it says more than names do: the kinds of things or the actions that a call can choose. */
  tells: boolean;
}

/** Verbs after which a thing is a new one. */
export const creates: ReadonlySet<string> = new Set(
  'add book build create draft generate insert register'.split(' '),
);
const towards = new Set(
  'add append apply assign attach insert post publish push send share upload write'.split(' '),
);
const awayFrom = new Set('detach disconnect pull remove uninstall'.split(' '));
const adjectives = new Set('local global advanced full quick raw current new all'.split(' '));
/** Verbs that need no object: "reply to an email". */
const intransitive = new Set(
  'connect go jump listen log navigate react reply respond scroll search subscribe switch wait zoom'.split(
    ' ',
  ),
);
/** What things have: of "release rating" with a release ID, it is the rating of a release. */
const attributes = new Set(
  (
    'activity address age balance color configuration content count detail duration height history ' +
    'information language length location log metadata name owner permission position price profile ' +
    'progress rating schedule setting size speed state statistic status summary temperature title ' +
    'version weight'
  ).split(' '),
);
/** Nouns that stand for anything: the values of a type say more. */
const anyThing = new Set('item items entity entities object objects resource resources'.split(' '));
const typeWords = new Set(['type', 'kind', 'entity']);
const actionWords = new Set(['operation', 'action', 'command', 'subcommand', 'method', 'mode']);
const management = new Set(
  'management manager operations operation admin actions action tool tools control'.split(' '),
);

/**
 * What a tool does by its name, its parameters and the habit of its server: "Get the positions of an
 * account." of `get_positions` with `accountId`. Null if the name holds no action that is sure.
 */
export function nameSentence(
  tool: AnalysedTool,
  siblings: readonly AnalysedTool[],
): NameSentence | null {
  const name = readName(tool, siblings);
  if (name === null) return null;
  const parameters = parameterNouns(tool.inputSchema, tool.name);
  if (name.verb === null) return withoutVerb(name.parts, parameters, siblings);
  const { verb, spokenVerb, object, isBatch, variant } = name;
  if (isActionToo(verb, object)) return null;
  const servers = new Set(words(tool.server));
  const made = sentenceOf(
    { verb, spoken: spokenVerb, object, isBatch, servers, texts: textsOf(tool, siblings) },
    parameters.filter(({ required }) => required),
  );
  return made && variant !== null
    ? { ...made, text: made.text.replace(/\.$/u, ` (${variant}).`) }
    : made;
}

/** Verbs that are things as well, besides those that name kinds of results. */
const things = new Set(
  (
    'access answer archive book broadcast capture change click clone copy crop design dispatch download ' +
    'draft drop embed estimate export filter fill find flush highlight import install invite launch ' +
    'load lookup measure merge mount move open pay play preview print pull push query quote recall ' +
    'redirect refund reply return sample scan search set sign snooze split start stop store summary swap ' +
    'switch sync tap trigger update upgrade upload use view zoom'
  ).split(' '),
);

/**
 * Whether what follows the verb of a name is another verb: "get_taste", "request_set_price". Such a
 * name doesn't say what is done. A verb that is a thing as well may be one, but not "set" before another.
 */
function isActionToo(verb: string, object: readonly string[]): boolean {
  const [first = '', next] = object;
  if (baseVerb(first) !== first || isNounToo(first)) return false;
  // "Get the deploy status" and "Create a deploy key" are read as meant.
  if (next !== undefined && (reads.has(verb) || creates.has(verb))) return false;
  return first === 'set' ? next !== undefined : !things.has(first);
}

/** What tells how a server writes a word. */
export const textsOf = (tool: AnalysedTool, siblings: readonly AnalysedTool[]): string =>
  `${JSON.stringify(tool.inputSchema)} ${siblings.map(({ description }) => description).join(' ')}`;

/** A name that holds no known verb: what its actions are. */
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
  if (!actions || managed.length === 0 || parts.length < 2) return null;
  const thing = plural(spoken(managed.join('_')));
  return {
    text: `Manage ${thing}: ${listed(actions.values)}.`,
    said: new Set([actions.name]),
    implied: none,
    verb: 'manage',
    tells: true,
  };
}

interface Action {
  verb: string;
  /** The verb as the server speaks. */
  spoken: string;
  /** The words of the name besides the verb and marks of batches. */
  object: readonly string[];
  isBatch: boolean;
  servers: ReadonlySet<string>;
  /** How the server writes words. */
  texts: string;
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
    const text = `${capital(action.spoken)} ${types}${tail}${all}.`;
    return { text, said, implied: none, verb, tells: true };
  }
  if (head.length === 0 && tail.trim().includes(' ') && intransitive.has(verb))
    return { text: `${capital(action.spoken)}${tail}.`, said, implied: none, verb, tells: false };
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
      : noun.split(' ').every((word) => spokenOf.has(word)) ||
        (identifies !== null && isShort(noun, singular(kept.at(-1) ?? ''))),
  );
  for (const { name } of itself) said.add(name);
  const named = tail === '' && !content ? namedThing(kept, parameters, action) : null;
  if (named) said.add(named.name);
  // "Run the recipe" that a call has: what else it takes is not what the recipe is of.
  const isHeld =
    ofOwner(verb, '').startsWith(' of') &&
    !reads.has(verb) &&
    !attributes.has(kept.at(-1) ?? '') &&
    itself.some(({ noun, identifies }) => identifies === null && noun === singular(kept.join(' ')));
  const place =
    owner ??
    (tail === '' && !content && !isHeld
      ? containerOf(parameters, kept, action, said) || fileOf(parameters, kept, action, said)
      : '');
  const last = singular(kept.at(-1) ?? '');
  const isItself = itself.some(
    ({ noun }) => noun === '' || noun.split(' ').at(-1) === last || isShort(noun, last),
  );
  const isGiven = isItself || content !== undefined || tail !== '' || action.isBatch;
  const object_ = withArticle(
    named?.text ?? withoutInnerPlural(kept),
    verb,
    isGiven || named !== null,
    place.startsWith(' of') && itself.every(({ noun }) => noun === '' || !kept.includes(noun)),
    action.isBatch,
  );
  // What the sentence speaks of so far by the name alone; " by ID" then says how.
  const implied = parameters.filter(
    ({ name }) => said.has(name) && name !== content?.name && name !== named?.name,
  );
  const isBare = tail === '' && place === '' && !content;
  const match = isBare && !isOne ? thatMatch(verb, parameters, said) : '';
  const end = isBare && match === '' && reads.has(verb) ? placeOrTime(parameters, said) : match;
  const batch = action.isBatch ? ' at once' : '';
  const isOf = place !== '';
  const isNamedBy = named ? singular(words(named.text).at(-1) ?? '') : last;
  const by =
    tail === '' && !action.isBatch ? byWhat(verb, parameters, said, isOf ? null : isNamedBy) : '';
  return {
    text: `${capital(action.spoken)} ${object_}${place}${tail}${end}${by}${batch}.`,
    said,
    implied: new Set(
      implied.filter(({ identifies }) => by === '' || identifies === null).map(({ name }) => name),
    ),
    verb,
    tells: false,
  };
}

const none: ReadonlySet<string> = new Set();

/**
 * " by card ID": how the thing is identified, if by one parameter. Several are left to another
 * sentence, and so is what a new thing belongs to.
 */
function byWhat(
  verb: string,
  parameters: readonly ParameterNoun[],
  said: Set<string>,
  last: string | null,
): string {
  const given = parameters.filter(({ name, identifies }) => identifies !== null && said.has(name));
  const isNew = creates.has(verb) || towards.has(verb);
  const [only, ...more] = given;
  if (only && more.length === 0 && !isNew) {
    const orName = only.isNamedToo ? ' or name' : '';
    // "username" says more than "name".
    if (only.noun === '' || words(only.name).length === 1)
      return ` by ${singular(only.spoken)}${orName}`;
    // The ID of an order is none of its messages.
    if (last !== null && only.noun.split(' ').at(-1) !== last && !isShort(only.noun, last))
      return ` by ${only.spoken}${orName}`;
    const ofFile = /path$/iu.test(only.name) ? 'path' : 'name';
    return ` by ${only.identifies === 'id' ? `ID${orName}` : ofFile}`;
  }
  for (const { name, identifies } of given)
    if (more.length > 0 || isNew || identifies === 'id') said.delete(name);
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
    (preposition === 'as' && /(?:ed|done|read)$/u.test(own.at(-1) ?? '')) ||
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
    const owner = parameters.find(
      (each) => each.noun === noun || (each.noun !== '' && noun.endsWith(` ${each.noun}`)),
    );
    if (!owner || prepositions.has(object[end] ?? '')) continue;
    // "A collection group" is not the group of a collection.
    const rest = object.at(-1) ?? '';
    if (!isPlural(rest) && !attributes.has(singular(rest)) && !towards.has(verb)) continue;
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
  { verb, texts }: Action,
  said: Set<string>,
): string {
  const own = new Set(object.map(singular));
  // What is taken away may be the very thing that the ID is of.
  if (awayFrom.has(verb)) return '';
  const isOwn = (word: string): boolean =>
    [...own].some((each) => isShort(word, each) || isShort(each, word)) ||
    own.has(wordInFull(word));
  const found = parameters.filter(
    ({ identifies, noun }) => identifies === 'id' && noun !== '' && !noun.split(' ').some(isOwn),
  );
  const container = found.at(-1);
  // "Provision the login of a project" may be for it: what is changed is surely in another thing
  // where it has an ID of its own.
  const isSure = reads.has(verb) || creates.has(verb) || towards.has(verb);
  const isIdentified = parameters.some(
    ({ identifies, noun }) => identifies !== null && (noun === '' || noun.split(' ').some(isOwn)),
  );
  if (!isSure && !isIdentified) return '';
  // Of several, it isn't known which one a new thing is for.
  if (!container || (creates.has(verb) && found.length > 1)) return '';
  said.add(container.name);
  const isNamed = container.thing !== null && saysAll(container.thing, container.noun.split(' '));
  const name = isNamed
    ? inSentence(container.thing ?? '', texts)
    : spoken(container.noun.replaceAll(' ', '_'));
  const thing = container.isList ? plural(name) : withAnyArticle(name);
  return ofOwner(verb, thing);
}

/** Whether a phrase has all of these words and ends with the last one or a word more. */
function saysAll(phrase: string, parts: readonly string[]): boolean {
  const said = words(phrase).map(singular);
  return parts.every((word) => said.includes(singular(word)));
}

/** Whether a parameter says which thing is meant: by an ID, a path or an address. */
const points = ({ name, identifies }: ParameterNoun): boolean =>
  identifies !== null || /(?:path|file|url|uri)$/iu.test(name);

/**
 * One thing in the words of the parameter that identifies it, if these say more than the name: "an
 * .als file" of `inspect_als` with the path to it.
 */
function namedThing(
  kept: readonly string[],
  parameters: readonly ParameterNoun[],
  { verb, isBatch, texts }: Action,
): { name: string; text: string } | null {
  if (isBatch || creates.has(verb)) return null;
  for (const parameter of parameters) {
    const { name, thing } = parameter;
    if (thing === null || !points(parameter) || parameter.isList) continue;
    const said = words(thing);
    if (
      !isPlural(said.at(-1) ?? '') &&
      kept.every((word) => said.includes(word)) &&
      said.length > kept.length
    )
      return { name, text: inSentence(thing, texts) };
  }
  return null;
}

/** " of a Figma project": what is read is of the thing that a path or an address leads to. */
function fileOf(
  parameters: readonly ParameterNoun[],
  kept: readonly string[],
  { verb, texts }: Action,
  said: Set<string>,
): string {
  if (!reads.has(verb)) return '';
  const own = new Set(kept.map(singular));
  const found = parameters.find(
    (each) =>
      each.thing !== null &&
      /(?:path|url|uri)$/iu.test(each.name) &&
      words(each.thing).length > 1 &&
      !words(each.thing).some((word) => own.has(singular(word))),
  );
  if (found?.thing == null) return '';
  said.add(found.name);
  return ` of ${withAnyArticle(inSentence(found.thing, texts))}`;
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

const counted = new Set(['count', 'list', 'number']);
/** "js" and "dns" are no plurals. */
const minPlural = 3;
/** "flights positions" → flight positions; "flights count" → "count of flights". */
function withoutInnerPlural(object: readonly string[]): readonly string[] | string {
  const last = object.at(-1) ?? '';
  const before = object.slice(0, -1);
  if (counted.has(last) && isPlural(before.at(-1) ?? ''))
    return `${last} of ${before.map(spoken).join(' ')}`;
  return isPlural(last)
    ? [...before.map((word) => (word.length > minPlural ? singular(word) : word)), last]
    : object;
}

/** "a" before what is created or given, "the" before another single thing. */
function withArticle(
  object: readonly string[] | string,
  verb: string,
  isGiven: boolean,
  isOwned: boolean,
  isBatch: boolean,
): string {
  if (typeof object === 'string')
    return isGiven && !isOwned && !object.includes(' of ')
      ? withAnyArticle(object)
      : `the ${object}`;
  const name = object.map(spoken).join(' ');
  const [first = '', last = first] = [object[0], object.at(-1)];
  if (determiners.has(first)) return name;
  if (isPlural(last)) return isBatch ? `several ${name}` : isOwned ? `the ${name}` : name;
  if (isBatch) return `several ${plural(name)}`;
  return creates.has(verb) || (isGiven && !isOwned) ? withAnyArticle(name) : `the ${name}`;
}
