import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { contentTerms, hasContent, stem, words } from '../tokenizer.ts';
import { groupsOf } from '../relatedWords.ts';
import { baseVerb, creates, reads } from './purpose.ts';
import { contradictsSchema } from './schemaClaims.ts';
import { firstSentence, isPlural } from './spoken.ts';

/** What a text says of a tool that the tool itself says otherwise, or has nothing of. */
export type Contradiction =
  /** A value, a default, a range or an example that the schema doesn't allow. */
  | 'value'
  /** That one can filter, sort, page or set what no parameter is for, or pass another thing. */
  | 'choice'
  /** What a new thing is for, if nothing of the tool speaks of that. */
  | 'purpose'
  /** Another key that a thing is found by, or all things where a call says which one. */
  | 'key'
  /** That nothing is passed where something is required, or that something is that isn't. */
  | 'input'
  /** Another limit than any that the schema has. */
  | 'limit'
  /** A name in code that is none of the tool, its schema or its siblings. */
  | 'name'
  /** An effect that the name, the annotations or all actions to choose from deny. */
  | 'effect'
  /** A result without anything that the output schema has. */
  | 'result';

type ClaimedTool = AnalysedTool & {
  outputSchema?: JsonObject | null;
  annotations?: JsonObject | null;
};

/**
 * The first thing that a text says of a tool and that its schema, its annotations and the other tools
 * contradict or lack; null if there is none. Such a text is about an older tool, or about another
 * one, whoever wrote it. In doubt, it counts as one: a text that isn't offered misleads nobody.
 */
export function contradictionOf(
  text: string,
  tool: ClaimedTool,
  tools: readonly AnalysedTool[],
): Contradiction | null {
  const known = vocabularyOf(tool.inputSchema);
  if (contradictsSchema(text, tool)) return 'value';
  if (claimsChoice(text, tool, known)) return 'choice';
  const own = vocabularyOf(tool.inputSchema, tool.name, tool.server);
  if (claimsAlternative(text, own) || claimsPart(text, tool.name, known, own)) return 'choice';
  if (claimsPurpose(text, own)) return 'purpose';
  if (claimsKey(text, known) || claimsAll(text, tool.inputSchema)) return 'key';
  if (claimsInput(text, tool.inputSchema)) return 'input';
  if (claimsNoInput(text, tool.inputSchema) || claimsNeed(text, tool.inputSchema)) return 'input';
  if (claimsLimit(text, tool.inputSchema)) return 'limit';
  if (namesUnknown(text, tool, tools)) return 'name';
  if (claimsEffect(text, tool.annotations ?? null) || claimsChange(text, tool)) return 'effect';
  return claimsResult(text, tool.outputSchema ?? null) ? 'result' : null;
}

/** The words of a schema, by stem, with those that mean the same. */
interface Vocabulary {
  stems: ReadonlySet<string>;
  groups: ReadonlySet<number>;
}

/** What people write in a schema: names, titles, descriptions and values, at any depth. */
function* textsIn(schema: JsonValue): Generator<string> {
  if (Array.isArray(schema)) for (const each of schema) yield* textsIn(each);
  if (!isJsonObject(schema)) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && isJsonObject(value)) yield Object.keys(value).join(' ');
    if (key === 'description' || key === 'title' || key === 'default' || key === 'const')
      yield typeof value === 'string' ? value : JSON.stringify(value);
    else if (key === 'enum' || key === 'examples') yield JSON.stringify(value);
    else if (key === 'properties' && isJsonObject(value))
      for (const inner of Object.values(value)) yield* textsIn(inner);
    else yield* textsIn(value);
  }
}

function vocabularyOf(schema: JsonObject, ...names: readonly string[]): Vocabulary {
  const stems = new Set([...textsIn(schema), ...names].flatMap((text) => words(text).map(stem)));
  return { stems, groups: new Set([...stems].flatMap((each) => groupsOf(each))) };
}

const minForm = 4;
/** Whether a schema has a word: itself, a form of it, as part of a name, or one that means the same. */
const has = ({ stems, groups }: Vocabulary, word: string): boolean =>
  stems.has(word) ||
  groupsOf(word).some((group) => groups.has(group)) ||
  [...stems].some(
    (each) =>
      (word.length >= minForm &&
        each.startsWith(word.slice(0, Math.max(minForm, word.length - 2)))) ||
      (each.length >= minForm && word.startsWith(each)) ||
      (word.length > 1 && each.length <= 6 && each.endsWith(word)),
  );

/** Whether a schema has no word of a phrase; false of a phrase that says nothing. */
const lacks = (known: Vocabulary, phrase: string): boolean =>
  hasContent(phrase) && !contentTerms(phrase).some((term) => has(known, term.stem));

/** "status, date and the author of a post" → "status", "date", "the author". */
const itemsOf = (list: string): string[] =>
  list
    .split(/,|\/|\b(?:and|or)\b/u)
    .map((item) =>
      item
        .replace(
          /\s(?:of|for|with|within|in|on|from|to|when|using|that|which|if|via|is|are)\b.*$/u,
          '',
        )
        .trim(),
    )
    .filter((item) => item !== '' && item.split(/\s+/u).length <= maxItemWords);
const maxItemWords = 4;

/** What one can choose by: of "sorted by date", the tool itself may have chosen. */
const choosing =
  /\b(?:(?:filter|sort|search|order|group)able|filter(?:s|ed|ing)?(?: \w+)?|(?:can|to|optionally|and|or) (?:sort|order|group|search)|(?:sort|order|group|search)ing) by ([^.;:()\n]+)/giu;
/** "Allows users to filter orders", of what takes nothing. */
const narrowing = /\b(?:to|can|you|users|and) (?:filter|sort|narrow|refine|search for)\b/iu;
/** "with format options", "supports sorting". */
const offering =
  /\b(?:with|supports?|supporting|using|via|has|offers?) (?:an? )?((?:[\w-]+,? (?:and )?){0,3})(options|filters?|filtering|sorting|pagination|paging|parameters)\b/giu;
/** "options for ranges and formatting". */
const offered = /\boptions? (?:for|like|such as) ([^.;:()\n]+)/giu;
/** "optional date range", "optionally as CSV". */
const optional = /\boptional(?:ly)?:? ([^.,;:()\n]+)/giu;
/** "the raw parameter", "`depth` argument". */
const namedParameter =
  /(?:\b(?:the|its|this|optional) |["'`])([\w-]+)["'`]? (?:parameter|argument|option|flag)\b/giu;
const paging = 'page limit offset cursor skip start after token size count max first'
  .split(' ')
  .map(stem);
const general = new Set(
  (
    'additional advanced any basic complex comprehensive custom detailed different each ' +
    'extra flexible following full given input many multiple one optional other powerful query ' +
    'required rich same search several simple specific specified standard string this tool url various ' +
    'filter filters filtering option options sorting pagination paging parameter parameters'
  ).split(' '),
);

/** Whether a text offers a choice that no parameter is for. */
function claimsChoice(
  text: string,
  { name, inputSchema }: AnalysedTool,
  known: Vocabulary,
): boolean {
  const { properties, required } = inputSchema;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const needed = Array.isArray(required) ? required.map(String) : [];
  const isOpen = names.some((each) => !needed.includes(each));
  const does = new Set(words(name).map(stem));
  const isUnmet = (phrase: string): boolean => lacks(known, phrase);
  const telling = (phrase: string): string =>
    words(phrase)
      .filter((word) => !general.has(word))
      .join(' ');
  // What an extraction extracts is the choice in "optional image extraction" of `extract_page`.
  const chosen = (phrase: string): string =>
    words(phrase)
      .filter((word) => !does.has(stem(word)))
      .join(' ');
  return (
    (names.length === 0 && narrowing.test(text)) ||
    [...text.matchAll(choosing), ...text.matchAll(offered)].some(([, list = '']) =>
      itemsOf(list).some(isUnmet),
    ) ||
    [...text.matchAll(offering)].some(([, before = '', what = '']) =>
      /^pag/iu.test(what)
        ? !paging.some((each) => known.stems.has(each))
        : names.length === 0 ||
          (/^options/iu.test(what) && !isOpen) ||
          itemsOf(telling(before)).some(isUnmet),
    ) ||
    [...text.matchAll(optional)].some(
      ([, list = '']) => !isOpen || isUnmet(telling(list)) || isUnmet(chosen(telling(list))),
    ) ||
    [...text.matchAll(namedParameter)].some(([, word = '']) => isUnmet(telling(word)))
  );
}

/** "a native SQL query or MBQL query", "SQL/MBQL": two things that are alike but for one word. */
const alternatives =
  /\b([\w-]+) ([\w-]+)(?: (?:or|and) |\/)([\w-]+) \2(?![\w-])|\b(?=[A-Z][A-Z\d])([A-Z\d]+)(?: or |\/)(?=[A-Z][A-Z\d])([A-Z\d]+)\b/gu;

/** Whether one of two things that are alike is the tool's, and nothing of the tool has the other. */
const claimsAlternative = (text: string, own: Vocabulary): boolean =>
  [...firstSentence(text).matchAll(alternatives)].some(
    ([, one, , other, first = one, second = other]) => {
      const lacked = [first, second].map((each = '') => lacks(own, each));
      return hasContent(first ?? '') && hasContent(second ?? '') && lacked[0] !== lacked[1];
    },
  );

/** "with fields, relationships and settings", "(background, borders, alignment)". */
const lists = /\bwith (\w[^.;:()\n]{0,200}, [^.;:()\n]+)|\(([^().:]{1,200}, [^().:]{1,200})\)/giu;

const changing = new Set(
  'add create set update edit modify change format configure manage'.split(' '),
);

/** Whether a text lists what a call sets, and nothing of the tool has a part of the list. */
function claimsPart(text: string, name: string, known: Vocabulary, own: Vocabulary): boolean {
  const isHalf = (items: readonly string[]): boolean =>
    items.some((each) => hasContent(each) && !lacks(known, each)) &&
    items.some((each) => lacks(own, each));
  const verb =
    words(name)
      .map(baseVerb)
      .find((each) => each !== null) ?? null;
  if (verb === null || !changing.has(verb)) return false;
  return [...text.matchAll(lists)].some(([, set = '', bracketed = set]) =>
    isHalf(itemsOf(bracketed)),
  );
}

/** Whether a text says what a new thing is for, and neither name nor schema has a word of that. */
function claimsPurpose(text: string, own: Vocabulary): boolean {
  const opening = firstSentence(text);
  if (!creates.has(baseVerb(words(opening)[0] ?? '') ?? '')) return false;
  return [...opening.matchAll(/\bfor [a-z]+ing ([^.,;:()]+)/giu)].some(([, what = '']) =>
    lacks(own, what),
  );
}

/** "all posts", "the selected page", "the current document". */
const chosenBefore =
  /^\w+ all ([^,;:()]+)|\bthe (?:(?:currently|already) )?(?:current|selected|active|open|focused) ([\w-]+)/iu;

/**
 * Whether a text has all of the things of which a call has to say one, or one that was chosen before:
 * "all posts" or "the selected post", by `post_id`.
 */
function claimsAll(text: string, { required }: JsonObject): boolean {
  const [, all, one = ''] = chosenBefore.exec(firstSentence(text)) ?? [];
  if (!Array.isArray(required)) return false;
  const [phrase = ''] = (all ?? '')
    .toLowerCase()
    .split(/\b(?:of|for|with|within|in|on|from|to|by|that|which|using|across)\b/u);
  const things = new Set(
    phrase
      .split(/[\s/]+|\b(?:and|or)\b/u)
      .filter(isPlural)
      .map(stem),
  );
  if (one !== '') things.add(stem(one.toLowerCase()));
  return required.some((name) => {
    const parts = typeof name === 'string' ? words(name) : [];
    return parts.length > 1 && keys.has(parts.at(-1) ?? '') && things.has(stem(parts.at(-2) ?? ''));
  });
}

/** Words that a thing is found by, and how schemas say the same. */
const keys = new Map(
  [
    'id identifier uuid guid',
    'name title label',
    'slug handle',
    'key',
    'email mail',
    'url uri link address',
    'path',
    'number',
    'code',
    'username login',
    'index position',
    'hash sha',
  ].flatMap((line) => {
    const alike = line.split(' ');
    return alike.map((word): [string, readonly string[]] => [word, alike]);
  }),
);
const found = new RegExp(
  String.raw`(?<!\b(?:sen[dt]s?|deliver(?:s|ed)?|notif(?:y|ies|ied)|informs?|informed) (?:[\w-]+ ){0,3})\bby (?:its |their |the |an? |unique |specific |exact )*(?:[a-z]+ )?(${[...keys.keys()].join('|')})s?\b`,
  'giu',
);

/** A parameter for a text that is looked for takes any key. */
const searching = ['query', 'search', 'keyword', 'pattern', 'term'].map(stem);

/** Whether a thing is to be found by a key that no parameter has: "by its slug". */
const claimsKey = (text: string, known: Vocabulary): boolean =>
  !searching.some((each) => known.stems.has(each)) &&
  [...text.matchAll(found)].some(([, key = '']) =>
    (keys.get(key.toLowerCase()) ?? []).every((each) => !has(known, stem(each))),
  );

/** Whether a text speaks of what is given, to a tool that takes nothing. */
const claimsInput = (text: string, { properties }: JsonObject): boolean =>
  isJsonObject(properties) &&
  Object.keys(properties).length === 0 &&
  /\b(?:an?|the|for|by|from) (?:given|specified|provided|supplied)\b/iu.test(firstSentence(text));

const claimsNoInput = (text: string, { required }: JsonObject): boolean =>
  Array.isArray(required) &&
  required.length > 0 &&
  /\b(?:no|without(?: any)?) (?:parameters?|arguments?|inputs?)\b(?! (?:is|are) (?:given|passed|provided))/iu.test(
    text,
  );

/** "requires schema selection", "you must provide the region": the first words of what is needed. */
const needed =
  /\b(?:requires?|must (?:be given|provide|specify|include|pass|set)|(?:is|are) mandatory:?) (?:an? |the |your )?((?:[\w-]+ ?){1,2})/giu;

/** A need under a condition: "requires a region if …", "For private piers, requires a key". */
const conditionBefore = /(?:^|[.;(\n] ?)(?:if|when|unless|where|for|in)\b[^.;\n]*$/iu;
const conditionBehind = /^[^.;)\n]*\b(?:if|when|whenever|unless|except|where|in case)\b/iu;

/** "The region is required." */
const needing =
  /(?:^|[.;(\n] ?)(?:the |an? )?([\w-]+(?: [\w-]+)?) (?:is|are) (?:always )?required\b/giu;

/** Whether a text says without a condition that a parameter is required that the schema lets out. */
function claimsNeed(text: string, schema: JsonObject): boolean {
  const { properties } = schema;
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const stemsOf = (name: string): string[] => words(name).map(stem);
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const given = new Set(names.filter((name) => required.has(name)).flatMap(stemsOf));
  const free = names.filter((name) => !required.has(name)).map(stemsOf);
  return [...text.matchAll(needed), ...text.matchAll(needing)].some(({ 1: phrase = '', index }) => {
    if (conditionBefore.test(text.slice(0, index))) return false;
    if (conditionBehind.test(text.slice(index).replace(/^[.;(\n]/u, ''))) return false;
    const said = words(phrase).map(stem);
    return (
      !said.some((word) => given.has(word)) &&
      free.some((name) => name.length > 0 && name.every((word) => said.includes(word)))
    );
  });
}

const limit =
  /\b(?:max(?:imum)?(?: of)?|up to|at most|no more than|limited to)[: ]+(\d[\d,]*)\b(?! ?(?:%|[kmg]i?b\b|px\b|(?:second|minute|hour|day|week|month|year)s?\b))/giu;

/** Whether a text has a limit where the schema has some, and none of them is that. */
function claimsLimit(text: string, schema: JsonObject): boolean {
  const json = JSON.stringify(schema);
  if (!/"(?:maximum|maxItems|maxLength)":/u.test(json)) return false;
  const known = new Set(json.match(/\d+/gu));
  return [...text.matchAll(limit)].some(
    ([, number = '']) => !known.has(number.replaceAll(',', '')),
  );
}

const identifier = /(?<![\w./-])(?:[a-z]+(?:_[a-z\d]+)+|[a-z]{2,}(?:[A-Z][a-z\d]+)+)(?![\w/-])/gu;
/** "get-block-content": two words and more after a verb, because "read-only" is English. */
const hyphenated = /(?<![\w./-])[a-z]+(?:-[a-z\d]+){2,}(?![\w/-])/gu;
/** Where a name in code is something to pass or to call, and not what comes back. */
const isPassed =
  /\b(?:use|using|call|calling|see|set|pass|provide|specify|via|with|when|if|requires?|needs?|prerequisites?:|alternatives?:|related:|by)\s+(?:the |an? |its )?["'`(]*$/iu;
const isAssigned =
  /^["'`)]*\s*(?:=|:|parameter|argument|to\b|(?:(?:and|or) ["'`]?\w+["'`]? )?(?:is|are) (?:accepted|required|optional|supported|needed|mandatory)\b)/u;

/** `status:open` in quotation marks is what is looked for. */
const isQuoted = /["'`]$/u;
/** "create-record" is the tool `create_record`. */
export const inOneSpelling = (name: string): string => words(name).join(' ');

/**
 * Whether a text tells to pass or to call a name in code that neither the tool nor another one has.
 * Parameters of tools that the text names are known too. What begins with a verb is a tool to call, and
 * known only as a name or a value, not because another text speaks of it.
 */
function namesUnknown(
  text: string,
  { inputSchema, outputSchema }: ClaimedTool,
  tools: readonly AnalysedTool[],
): boolean {
  const hasHyphens = tools.some(({ name }) => name.includes('-'));
  const all = [...text.matchAll(identifier), ...(hasHyphens ? text.matchAll(hyphenated) : [])];
  const unknown = all.filter(({ 0: each, index }) => {
    const before = text.slice(Math.max(0, index - maxLead), index);
    const after = text.slice(index + each.length, index + each.length + maxLead);
    if (each.includes('-')) return baseVerb(words(each)[0] ?? '') !== null;
    return (
      isPassed.test(before) ||
      (isAssigned.test(after) && isQuoted.test(before) === isQuoted.test(after.charAt(0))) ||
      [words(each)[0], words(each).at(-1)].some((word) => baseVerb(word ?? '') === word)
    );
  });
  if (unknown.length === 0) return false;
  const said = inOneSpelling(text);
  const named = tools.filter(({ name }) => said.includes(inOneSpelling(name)));
  const schemas = [inputSchema, outputSchema ?? null, ...named.map((each) => each.inputSchema)];
  const known = JSON.stringify(schemas).toLowerCase();
  const names = new Set(tools.map(({ name }) => inOneSpelling(name)));
  return unknown.some(([each]) => {
    const first = words(each)[0] ?? '';
    const written = baseVerb(first) === first ? JSON.stringify(each) : each;
    return !known.includes(written.toLowerCase()) && !names.has(inOneSpelling(each));
  });
}
const maxLead = 60;

/** Whether a text opens with a verb that annotations deny: "Deletes" of a tool that only reads. */
function claimsEffect(text: string, annotations: JsonObject | null): boolean {
  const verb = baseVerb(words(text)[0] ?? '');
  if (verb === null || annotations === null) return false;
  const writes = ['create', 'delete', 'update', 'send', 'move'].some((each) =>
    groupsOf(stem(verb)).some((group) => groupsOf(stem(each)).includes(group)),
  );
  return (
    (annotations['readOnlyHint'] === true && writes && !reads.has(verb)) ||
    (annotations['destructiveHint'] === true &&
      annotations['readOnlyHint'] !== true &&
      reads.has(verb))
  );
}

/** Parameters that say what a call does. */
const acting = /^(?:action|operation|command|method|mode|op)$/iu;

/**
 * Whether a text opens with a verb that changes something, and the name with one that reads, or all
 * actions to choose from only read.
 */
function claimsChange(text: string, { name, inputSchema }: AnalysedTool): boolean {
  const { properties } = inputSchema;
  const verb = baseVerb(words(text)[0] ?? '');
  if (verb === null || !(changing.has(verb) || creates.has(verb))) return false;
  if (reads.has(baseVerb(words(name)[0] ?? '') ?? '')) return true;
  if (!isJsonObject(properties)) return false;
  return Object.entries(properties).some(([parameter, schema]) => {
    const actions = isJsonObject(schema) && Array.isArray(schema['enum']) ? schema['enum'] : [];
    const verbs = actions.map((each) =>
      baseVerb(words(typeof each === 'string' ? each : '')[0] ?? ''),
    );
    return (
      acting.test(parameter) &&
      verbs.some((each) => each !== null) &&
      verbs.every((each) => each === null || reads.has(each))
    );
  });
}

/** Whether nothing of what a text says that comes back is in the output schema. */
function claimsResult(text: string, outputSchema: JsonObject | null): boolean {
  if (!isJsonObject(outputSchema?.['properties'])) return false;
  const known = vocabularyOf(outputSchema);
  return [...text.matchAll(/\breturns? ([^.\n]+)/giu)].some(([, what = '']) => lacks(known, what));
}
