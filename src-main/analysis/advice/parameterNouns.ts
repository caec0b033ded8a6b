import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { words } from '../tokenizer.ts';
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
  /** Whether it takes several values. */
  isList: boolean;
  isBoolean: boolean;
  /** Values of its enum that are plain words; empty without an enum or with other values. */
  values: readonly string[];
  /** What an answer can hold: the values of a list's enum, as they are spoken. */
  choices: readonly string[];
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
    'udid x y width height style theme debug dry run index position pagelen include ' +
    'cache metadata preview'
  ).split(' '),
);
/** A name with one of these is no noun phrase: "to_revision", "expires_at". */
const relations = new Set('to from at by in on of for before after since until with'.split(' '));
const maxValues = 6;

/** The parameters of a schema in their order. */
export function parameterNouns({ properties, required }: JsonObject, depth = 0): ParameterNoun[] {
  if (!isJsonObject(properties) || depth > 1) return [];
  return Object.entries(properties).map(([name, schema]) => {
    const parts = words(name);
    const last = parts.at(-1) ?? '';
    const compound = compounds.get(parts.join(''));
    const isId = ids.has(last);
    const isName = nameWords.has(last) || compound !== undefined;
    const rest = isId || nameWords.has(last) ? parts.slice(0, -1) : parts;
    const type = isJsonObject(schema) ? schema['type'] : undefined;
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
      isList: type === 'array',
      isBoolean: type === 'boolean',
      values: isJsonObject(schema) ? plainValues(schema['enum']) : [],
      choices:
        isJsonObject(items) && Array.isArray(items['enum']) ? spokenValues(items['enum']) : [],
      items: isJsonObject(items) ? parameterNouns(items, depth + 1) : [],
      spoken: spokenLimit(parts) ?? spoken(name),
      ...parameterText(name, isJsonObject(schema) ? schema['description'] : undefined),
    };
  });
}

/** "minimum time" of `time_min`; null of other names. */
function spokenLimit(parts: readonly string[]): string | null {
  const limit = new Map([
    ['min', 'minimum'],
    ['max', 'maximum'],
  ]).get(parts.at(-1) ?? '');
  return limit !== undefined && parts.length > 1
    ? `${limit} ${spoken(parts.slice(0, -1).join('_'))}`
    : null;
}

const plainValues = (values: unknown): string[] =>
  Array.isArray(values) &&
  values.length > 1 &&
  values.length <= maxValues &&
  values.every((value) => typeof value === 'string' && /^[\p{L}][\p{L} -]{1,24}$/u.test(value))
    ? values.map(String)
    : [];

/** Values as words, without numbers and kinds of sums. */
const spokenValues = (values: readonly unknown[]): string[] =>
  values.flatMap((value) => {
    if (typeof value !== 'string' || !/^\p{L}[\p{L}\d_ -]{2,40}$/u.test(value)) return [];
    const kept = words(value).filter((word) => !/\d/u.test(word) && !aggregates.has(word));
    return kept.length > 0 && kept.every((word) => /[aeiouy]/u.test(word))
      ? [spoken(kept.join('_'))]
      : [];
  });
const aggregates = new Set('sum mean max min avg average median total count dominant'.split(' '));

/** Whether a parameter shapes an answer or a request, whatever the tool does. */
const isNoise = ({ name, isBoolean }: ParameterNoun): boolean => {
  const parts = words(name);
  return isBoolean || [parts[0], parts.at(-1)].some((word) => noise.has(word ?? ''));
};

/** Whether a parameter has only words of that kind: `page_size`, `data`, not `time_min`. */
const isPureNoise = ({ name, isBoolean }: ParameterNoun): boolean =>
  isBoolean || words(name).every((word) => noise.has(word));

/** Whether a call needs a parameter that no sentence can name. */
export const isUnspoken = (parameter: ParameterNoun): boolean =>
  parameter.required && !isTelling(parameter) && !isPureNoise(parameter);

/** Whether a parameter is worth a word in a description. */
export const isTelling = (parameter: ParameterNoun): boolean =>
  (parameter.required && !parameter.isBoolean ? !isPureNoise(parameter) : !isNoise(parameter)) &&
  (parameter.phrase !== null ||
    (!words(parameter.name).some((word) => relations.has(word)) &&
      words(parameter.name).join('').length > 2));
