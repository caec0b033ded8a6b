import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { isMatcher } from '../../../scoring/matchers.ts';
import type { Change } from './suiteDraft.ts';
import { isEmpty, mapObject, readBoolean } from './values.ts';

/** What a check becomes; undefined for an operand that such a check can't have. */
type ToMatcher = (operand: JsonValue, place: Place) => JsonValue | undefined;

/** Where a value stands: its schema as far as it is known, and what is said of it. */
interface Place {
  schema: JsonObject | null;
  say: (why: string) => void;
}

const isText = (value: JsonValue): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';
const textsIn = (operand: JsonValue): (string | number)[] | undefined => {
  const texts = [operand].flat();
  return texts.length > 0 && texts.every(isText) ? texts : undefined;
};
const escaped = (text: string | number): string =>
  String(text).replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

const containsAll = (operand: JsonValue, { schema, say }: Place): JsonObject | undefined => {
  const texts = textsIn(operand);
  const [first, ...others] = texts ?? [];
  if (first === undefined || others.length === 0)
    return first === undefined ? undefined : { $contains: first };
  if (schema?.['type'] === 'string')
    return { $regex: `(?i)^${(texts ?? []).map((each) => `(?=[^]*${escaped(each)})`).join('')}` };
  say(`Only the first of its ${texts?.length} parts is compared.`);
  return { $contains: first };
};
const isOneOf: ToMatcher = (operand) =>
  Array.isArray(operand) && operand.length > 0 ? { $any: operand } : undefined;
const bound =
  (key: '$gte' | '$lte', isOpen = false): ToMatcher =>
  (operand, { say }) => {
    if (typeof operand !== 'number') return undefined;
    if (isOpen) say(`${operand} itself is accepted too.`);
    return { [key]: operand };
  };
const pattern =
  (before: string, after: string, quote: (text: string) => string): ToMatcher =>
  (operand) =>
    typeof operand === 'string' ? { $regex: `${before}${quote(operand)}${after}` } : undefined;
const ifTrue =
  (matcher: JsonObject, why: string): ToMatcher =>
  (operand, { say }) => {
    if (readBoolean(operand) !== true) return undefined;
    say(why);
    return matcher;
  };
const notCompared: ToMatcher = (_operand, { say }) => {
  say('Any value, or none, is accepted: a case has no check for what an argument must not be.');
  return { $ignore: true };
};

/**
 * Checks of single arguments by the words for them. The ambiguous ones may just as well belong to the
 * name of an argument, such as `price_min`: only a schema tells.
 */
const checks: readonly (readonly [words: string, to: ToMatcher, isAmbiguous?: true])[] = [
  [
    'must_include_any must_contain_any contains_any includes_any include_any contain_any any_contains must_include_any_of contains_any_of includes_any_of contains_one_of',
    (operand) => {
      const texts = textsIn(operand);
      return texts && { $any: texts.map((each) => ({ $contains: each })) };
    },
  ],
  [
    'must_include must_contain must_include_all must_contain_all contains_all includes_all contains includes icontains substring',
    containsAll,
  ],
  ['include contain has like keywords', containsAll, true],
  ['any_of one_of must_be_one_of must_be_in is_one_of', isOneOf],
  ['any in allowed options choices', isOneOf, true],
  ['at_least must_be_at_least gte ge', bound('$gte')],
  ['min minimum', bound('$gte'), true],
  ['at_most must_be_at_most lte le', bound('$lte')],
  ['max maximum', bound('$lte'), true],
  ['gt greater_than more_than', bound('$gte', true)],
  ['lt less_than fewer_than', bound('$lte', true)],
  ['matches_regex must_match matches regex regexp', pattern('', '', String)],
  ['match pattern', pattern('', '', String), true],
  ['starts_with must_start_with startswith', pattern('^', '', escaped)],
  ['ends_with must_end_with endswith', pattern('', '$', escaped)],
  ['equals must_equal must_be', (operand) => literal(operand)],
  ['eq equal exact', (operand) => literal(operand), true],
  ['must_not_include must_not_contain not_contains must_not_be not_equals not_in', notCompared],
  [
    'must_be_present must_exist is_present is_set not_empty not_null',
    ifTrue({ $ignore: true }, 'Any value, or none, is accepted.'),
  ],
  [
    'present exists required any_value',
    ifTrue({ $ignore: true }, 'Any value, or none, is accepted.'),
    true,
  ],
  ['must_be_absent not_present is_absent', ifTrue({ $absent: true }, 'It must be left out.')],
  ['absent missing', ifTrue({ $absent: true }, 'It must be left out.'), true],
];

interface Check {
  to: ToMatcher;
  isAmbiguous: boolean;
}
const plain = (word: string): string => word.toLowerCase().replaceAll(/[^a-z]/g, '');
const byWord: ReadonlyMap<string, Check> = new Map(
  checks.flatMap(([words, to, isAmbiguous = false]) =>
    words.split(' ').map((word) => [plain(word), { to, isAmbiguous }] as const),
  ),
);
/** The name of an argument and a check behind it: `title_contains`, `titleMustInclude`. */
const suffixed = new RegExp(
  `^(.*?[A-Za-z\\d])(?:[_-]|(?=[A-Z]))(${checks
    .flatMap(([words]) => words.split(' '))
    .toSorted((one, other) => other.length - one.length)
    .map((word) =>
      word
        .split('_')
        .map((part) => `[${part[0]}${part[0]?.toUpperCase()}]${part.slice(1)}`)
        .join('[_-]?'),
    )
    .join('|')})$`,
);

/** A value of another program means itself, even if it looks like one of our matchers. */
const literal = (value: JsonValue): JsonValue => (isMatcher(value) ? { $eq: value } : value);

const membersOf = (schema: JsonObject | null): JsonObject | null => {
  const properties = schema?.['properties'] ?? null;
  return isJsonObject(properties) ? properties : null;
};
const memberOf = (members: JsonObject | null, name: string): JsonObject | null => {
  const schema = members !== null && Object.hasOwn(members, name) ? members[name] : null;
  return isJsonObject(schema ?? null) ? (schema as JsonObject) : null;
};

/** Arguments of another program, as those of a case. */
interface ReadArguments {
  parameters: JsonObject;
  /** Some are checked by a part of them, so that a call may have further ones. */
  isPartial: boolean;
  changes: Change[];
}

/**
 * Reads the arguments that another program expects: texts that stand for several values (`*`,
 * `/^PX/`), checks as objects (`{contains: "Dune"}`) and in names (`title_must_include`). What may be
 * meant otherwise is decided by the schema of the tool, and everything read as a check is named.
 *
 * @param schema of the tool; null if it isn't known
 */
export function readForeignArguments(given: JsonObject, schema: JsonObject | null): ReadArguments {
  const changes: Change[] = [];
  let isPartial = false;
  const members = membersOf(schema);
  // One name that can only be a check shows how the source writes all of them.
  const writesChecks = Object.keys(given).some((name) => {
    const word = suffixed.exec(name)?.[2];
    return word !== undefined && byWord.get(plain(word))?.isAmbiguous === false;
  });
  const checkIn = (name: string, value: JsonValue): [string, JsonValue] | null => {
    const [, base = '', word = ''] = suffixed.exec(name) ?? [];
    const check = byWord.get(plain(word));
    if (check === undefined || memberOf(members, name) !== null) return null;
    const isMember = memberOf(members, base) !== null;
    if (members === null && check.isAmbiguous && !writesChecks) {
      if (typeof value === 'number' && /^m(?:ax|in)/i.test(word))
        changes.push({
          what: name,
          why: `It is read as an argument. Register the server of the tool if it is a check of ${base}.`,
        });
      return null;
    }
    if (members !== null && !isMember) return null;
    const said: string[] = [];
    const place = { schema: memberOf(members, base), say: (why: string) => said.push(why) };
    const matcher = check.to(value, place);
    if (matcher === undefined) return null;
    changes.push({ what: name, why: [`It is read as a check of ${base}.`, ...said].join(' ') });
    return [base, matcher];
  };
  const read = (value: JsonValue, own: JsonObject | null, path: string): JsonValue => {
    if (Array.isArray(value)) return value.map((each) => read(each, null, path));
    if (!isJsonObject(value) || isMatcher(value)) return value;
    const said: string[] = [];
    const matcher = readCheck(value, { schema: own, say: (why) => said.push(why) });
    if (matcher !== undefined) {
      changes.push({
        what: `${path} ${JSON.stringify(value)}`,
        why: ['It is read as a check.', ...said].join(' '),
      });
      return matcher;
    }
    return Object.fromEntries(
      Object.entries<JsonValue>(value).map(([name, each]) => [
        name,
        read(each, memberOf(membersOf(own), name), `${path}.${name}`),
      ]),
    );
  };
  const parameters: JsonObject = {};
  for (const [name, value] of Object.entries(given)) {
    const found = checkIn(name, value);
    isPartial ||= found !== null;
    const text = typeof value === 'string' ? readNotation(value) : null;
    if (typeof value === 'string' && text !== null)
      changes.push({
        what: value,
        why: isMatcher(text) && '$ignore' in text ? anyValue : 'It is read as a pattern.',
      });
    const [own, matcher]: [string, JsonValue] = found ?? [
      name,
      text ?? read(value, memberOf(members, name), name),
    ];
    const before = parameters[own];
    // `price_min` and `price_max` are one check of the same argument.
    parameters[own] = isMatcher(before) && isMatcher(matcher) ? { ...before, ...matcher } : matcher;
  }
  return { parameters, isPartial, changes };
}

/** Arguments of ours, which may hold any text, with what only stands for a value. */
export function readPlaceholders(given: JsonObject): Pick<ReadArguments, 'parameters' | 'changes'> {
  const changes: Change[] = [];
  const parameters = mapObject(given, (value) => {
    if (typeof value !== 'string' || value === '*' || !isPlaceholder(value)) return value;
    changes.push({ what: value, why: anyValue });
    return { $ignore: true };
  });
  return { parameters, changes };
}
const anyValue = 'It is read as any value, or none.';

/** What a check with this word says of a value; undefined if there is none, or not with such an operand. */
export const checkOf = (word: string, operand: JsonValue, place: Place): JsonValue | undefined =>
  byWord.get(plain(word))?.to(operand, place);

/** Texts that stand for a value: `*`, the word `required`, and `<city>`. */
const isPlaceholder = (text: string): boolean =>
  /^(?:\*|required|_*any_*value_*|__any__|<[\w .:-]+>)$/i.test(text);

/**
 * A placeholder is any value; a text between slashes with a sign that only patterns have, and one that
 * begins or ends with `.*`, are patterns.
 */
function readNotation(text: string): JsonValue | null {
  if (isPlaceholder(text)) return { $ignore: true };
  const slashed = /^\/(.*[\^$\\|*+?[(].*)\/$/s.exec(text)?.[1];
  if (slashed !== undefined) return { $regex: slashed };
  if (!/^(?:\(\?[ims]+\))?\.\*|[^\\/]\.\*$/s.test(text)) return null;
  const part = text.replace(/^\(\?[ms]+\)/, '').replaceAll(/^\.\*|\.\*$/g, '');
  return part === '' ? { $ignore: true } : { $regex: part };
}

/** An object that says what an argument has to be; undefined for one that is its value. */
function readCheck(value: JsonObject, place: Place): JsonValue | undefined {
  const { schema } = place;
  if (schema !== null && (membersOf(schema) !== null || schema['type'] === 'object'))
    return undefined;
  const isTyped = schema !== null && !isEmpty(schema['type']);
  const { approx, tolerance, tol = tolerance, abs = tol, ...rest } = value;
  if (typeof approx === 'number' && Object.keys(rest).length === 0) {
    if (typeof abs === 'number') return { $gte: approx - abs, $lte: approx + abs };
    place.say('It names no tolerance, so any value, or none, is accepted.');
    return { $ignore: true };
  }
  let matcher: JsonObject | undefined;
  for (const [word, operand] of Object.entries(spelled(value))) {
    const check = byWord.get(plain(word));
    if (check === undefined || (check.isAmbiguous && !isTyped)) return undefined;
    const own = check.to(operand, place);
    if (own === undefined || (matcher !== undefined && !isMatcher(own))) return undefined;
    if (!isMatcher(own)) return Object.keys(value).length === 1 ? own : undefined;
    matcher = { ...matcher, ...own };
  }
  return matcher;
}

/** `{type: "contains", value: "Dune"}` as `{contains: "Dune"}`. */
function spelled(value: JsonObject): JsonObject {
  const [[kind, word] = ['', null], [name, operand] = ['', null], ...more] = Object.entries(value);
  return more.length === 0 &&
    /^(?:type|op|operator|match|matcher|check|kind|mode)$/i.test(kind) &&
    /^(?:value|values|expected|pattern|operand|text)$/i.test(name) &&
    typeof word === 'string' &&
    byWord.has(plain(word))
    ? { [word]: operand }
    : value;
}
