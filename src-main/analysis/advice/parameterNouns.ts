import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { wordInFull, words } from '../tokenizer.ts';
import { parameterText, type ParameterText } from './parameterTexts.ts';
import { spoken, singular } from './spoken.ts';

/** A parameter as a sentence can speak of it. */
export interface ParameterNoun extends ParameterText {
  name: string;
  required: boolean;
  /** "pull request" of `pull_request_id` and of `pullRequest`; '' of a bare `id` or `name`. */
  noun: string;
  /** Whether it identifies a thing, by ID or by name, and how. */
  identifies: 'id' | 'name' | null;
  /** Whether a name is taken in place of an ID. */
  isNamedToo: boolean;
  /** Whether it takes several values. */
  isList: boolean;
  isBoolean: boolean;
  /** Whether it is an object with parameters of its own. */
  isObject: boolean;
  /** What a number may be, "1–12"; null without both bounds. */
  range: string | null;
  isNumber: boolean;
  /** Values of its enum that are plain words; empty without an enum or with other values. */
  values: readonly string[];
  /** Values of its enum that a list can name as they are: `static_site`. */
  options: readonly string[];
  /** Of a list of objects: their properties. */
  items: readonly ParameterNoun[];
  spoken: string;
}

const ids = new Set(
  'id ids uuid uuids guid gid uid iid identifier identifiers slug slugs'.split(' '),
);
const nameWords = new Set(['name', 'names', 'title', 'login']);
/** English compounds that are written as one word. */
const compounds = new Map([
  ['username', 'user'],
  ['usernames', 'user'],
  ['filename', 'file'],
  ['filepath', 'file'],
  ['hostname', 'host'],
]);
/** Parameters that shape an answer or a request and say nothing about what a tool is for. */
const noise = new Set(
  (
    'page pages pagesize per size limit limits offset cursor token skip top max min maximum minimum ' +
    'count fields field format output verbose timeout context options option opts params parameters ' +
    'args arguments data body payload request input json sort order orderby ascending descending ' +
    'udid x y width height style theme debug index position pagelen include ' +
    'cache metadata preview'
  ).split(' '),
);
/** A name with one of these is no noun phrase: "to_revision", "expires_at". */
const relations = new Set('to from at by in on of for before after since until with'.split(' '));
const maxValues = 6;

/** Names of an object that only holds the parameters. */
const wrappers = new Set(
  'args arguments body data input options opts parameters params payload query request'.split(' '),
);

/**
 * The parameters of a schema in their order. Those of a single object that only holds them, or that
 * is what the tool works on (`workout` of `create_workout`), stand for it.
 */
export function parameterNouns(schema: JsonObject, toolName = ''): ParameterNoun[] {
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  const [only, ...more] = Object.entries(properties);
  const [name = '', inner] = only ?? [];
  const isHeld =
    more.length === 0 &&
    isJsonObject(inner) &&
    isJsonObject(inner['properties']) &&
    (wrappers.has(name.toLowerCase()) || words(toolName).join(' ').endsWith(words(name).join(' ')));
  return nounsOf(isHeld ? inner : schema, 0);
}

function nounsOf({ properties, required }: JsonObject, depth: number): ParameterNoun[] {
  if (!isJsonObject(properties) || depth > 1) return [];
  return Object.entries(properties).map(([name, schema]) => {
    const parts = words(name);
    const last = parts.at(-1) ?? '';
    const compound = compounds.get(parts.join(''));
    const isId = ids.has(last);
    const isName = nameWords.has(last) || compound !== undefined;
    const rest = isId || nameWords.has(last) ? parts.slice(0, -1) : parts;
    const type = typeOf(schema);
    const items = isJsonObject(schema) ? schema['items'] : undefined;
    return {
      name,
      required: Array.isArray(required) && required.includes(name),
      noun: compound ?? singular(rest.join(' ')),
      identifies: rest.some((word) => relations.has(word))
        ? null
        : isId
          ? 'id'
          : isName
            ? 'name'
            : null,
      isNamedToo: isId && /\b(?:ids? or names?|names? or ids?)\b/iu.test(describedIn(schema)),
      isList: type === 'array',
      isBoolean: type === 'boolean',
      isObject: type === 'object',
      isNumber: type === 'number' || type === 'integer',
      range: isJsonObject(schema) ? rangeOf(schema) : null,
      values: isJsonObject(schema) ? plainValues(schema['enum']) : [],
      options: isJsonObject(schema) ? plainValues(schema['enum'], /^\p{L}[\p{L}_ -]{1,24}$/u) : [],
      items: isJsonObject(items) ? nounsOf(items, depth + 1) : [],
      spoken: spokenLimit(parts) ?? spoken(name),
      ...parameterText(name, describedIn(schema), type === 'boolean'),
    };
  });
}

/** The one type of a schema besides null, also of `anyOf`, or of its default; null if unsure. */
function typeOf(schema: unknown): string | null {
  if (!isJsonObject(schema)) return null;
  const { type, anyOf, oneOf, default: value } = schema;
  if (typeof type === 'string') return type;
  const several = [type, anyOf, oneOf].find((each) => Array.isArray(each)) ?? [];
  const types = new Set(several.map((each) => (typeof each === 'string' ? each : typeOf(each))));
  types.delete('null');
  const [only] = types;
  if (types.size > 0) return types.size === 1 ? (only ?? null) : null;
  return typeof value === 'boolean' || typeof value === 'number' ? typeof value : null;
}

/** "minimum time" of `time_min` and of `min_time`; null of other names. */
function spokenLimit(parts: readonly string[]): string | null {
  const limits = new Map([
    ['min', 'minimum'],
    ['max', 'maximum'],
  ]);
  const at = [0, parts.length - 1].find((end) => limits.has(parts[end] ?? ''));
  return at !== undefined && parts.length > 1
    ? `${limits.get(parts[at] ?? '')} ${spoken(parts.filter((_, other) => other !== at).join('_'))}`
    : null;
}

function describedIn(schema: unknown): string {
  const text = isJsonObject(schema) ? schema['description'] : undefined;
  return typeof text === 'string' ? text : '';
}

const rangeOf = ({ minimum, maximum }: JsonObject): string | null =>
  typeof minimum === 'number' && typeof maximum === 'number' && maximum < maxBound && minimum >= 0
    ? `${minimum}–${maximum}`
    : null;
/** A bound from here on is that of the type. */
const maxBound = 1_000_000;

const plainValues = (values: unknown, plain = /^\p{L}[\p{L} -]{1,24}$/u): string[] =>
  Array.isArray(values) &&
  values.length > 1 &&
  values.length <= maxValues &&
  values.every((value) => typeof value === 'string' && plain.test(value))
    ? values.map(String)
    : [];

/** Whether a parameter shapes an answer or a request, whatever the tool does. */
const isShaping = (parameter: ParameterNoun): boolean => {
  const parts = words(parameter.name);
  const ends = [parts[0], parts.at(-1)];
  return isPureNoise(parameter) || ends.some((word) => shaping.has(word ?? ''));
};
const shaping = new Set(
  (
    'page pages pagesize limit offset cursor sort order orderby fields format verbose timeout debug ' +
    'include pagelen cache'
  ).split(' '),
);

/** Whether a parameter has only words of that kind: `page_size`, `data`, not `time_min`. */
const isPureNoise = ({ name }: ParameterNoun): boolean =>
  words(name).every((word) => noise.has(word));

/** What may come of a call that a caller must know of: a text without it hides it. */
const risks = new Set(
  (
    'cascade confirm destroy destructive discard dry dryrun erase force hard irreversible overwrite ' +
    'permanent permanently prune purge recursive recursively replace trash wipe'
  ).split(' '),
);

/** Whether a parameter decides what is destroyed or replaced. */
export const isRisky = ({ name, isBoolean }: ParameterNoun): boolean =>
  words(name).some((word) => risks.has(word) || (isBoolean && /^(?:delet|remov)/u.test(word)));

/** Whether a sentence can name a parameter so that a reader knows what it is. */
export const isSpoken = (parameter: ParameterNoun): boolean => {
  const { name, phrase, isBoolean, isNumber, isObject } = parameter;
  if (isBoolean || isRisky(parameter)) return phrase !== null;
  if (phrase !== null) return true;
  const parts = words(name);
  return (
    !isObject &&
    !parts.some((word) => relations.has(word)) &&
    parts.join('').length > 2 &&
    (!isNumber || isMeasured(parameter))
  );
};

/**
 * Whether it is plain that a number is meant: "weeks (1–12)", "minimum price", "page count". "Weeks"
 * leaves open how many, of what; "comments last" reads as an order and "open tabs" as tabs.
 */
function isMeasured({ name, identifies, range }: ParameterNoun): boolean {
  const parts = words(name).map(wordInFull);
  const last = parts.at(-1) ?? '';
  if (identifies !== null) return true;
  if (ordered.has(last)) return false;
  return (
    range !== null ||
    (parts.length > 1 && (bounds.has(parts[0] ?? '') || measures.has(singular(last))))
  );
}
const bounds = new Set('max maximum min minimum number total'.split(' '));
const ordered = new Set('first last next previous latest top bottom before after'.split(' '));
const measures = new Set(
  (
    'age amount angle balance budget capacity cost count day degree depth discount distance duration ' +
    'factor fee height hour index interval latitude length level limit longitude margin max maximum ' +
    'meter min minimum minute mile month number offset percent percentage port position price quantity ' +
    'radius rate ratio score second size speed temperature threshold timeout timestamp total volume ' +
    'weight width year zoom'
  ).split(' '),
);

/** Whether a call needs a parameter that no sentence can name. */
export const isUnspoken = (parameter: ParameterNoun): boolean =>
  parameter.required && !isSpoken(parameter) && !isPureNoise(parameter);

/** Whether a list of what a call needs or takes has to have a parameter to be whole. */
export const isListed = (parameter: ParameterNoun): boolean =>
  isRisky(parameter) || (parameter.required ? !isPureNoise(parameter) : !isShaping(parameter));
