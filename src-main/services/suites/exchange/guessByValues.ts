import type { ColumnMap, MappedField } from '../../../../src-shared/contract/suites.ts';
import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import type { ReadOptions } from './caseExchange.ts';
import { readCalls } from './callValues.ts';
import { saysAnswer } from './noToolWords.ts';
import { readArguments } from './writtenArguments.ts';
import {
  areMessages,
  columnsOf,
  findFields,
  isOfferedTools,
  lastPart,
  plainName,
  saysWhatRan,
  saysWhich,
  type FieldColumns,
} from './fieldNames.ts';
import { areActions, saysAny } from './namePatterns.ts';
import type { SourceRecord } from './recordFields.ts';
import { noCatalog } from './toolCatalog.ts';
import { fieldNames, weakNames } from './fieldNameTable.ts';
import { countWords, isEmpty, readShouldCall } from './values.ts';

/** Records whose values are looked at. */
const sampled = 200;
/** The share of a field's values that must name tools, and that must be sentences. */
const enough = { tools: 0.6, sentences: 0.5 };

/**
 * Adds to a map what no name tells: the expected tool is in the field whose values name tools of
 * registered servers, the query in that with the longest sentences.
 */
export function guessByValues(
  records: readonly SourceRecord[],
  names: readonly string[],
  {
    map: given,
    catalog = noCatalog,
    schemaOf,
  }: { map: ColumnMap } & Pick<ReadOptions, 'catalog' | 'schemaOf'>,
): ColumnMap {
  const map = withoutFlags(records, names, given);
  const fields = findFields(names, map);
  const sample = records.slice(0, sampled);
  const valuesOf = (name: string): JsonValue[] =>
    sample.flatMap(({ values }) => {
      const value = values.get(name);
      return value === undefined || isEmpty(value) ? [] : [value];
    });
  const used = new Set(
    Object.entries(fields).flatMap(([field, columns]) => {
      // An answer may be the name of a tool, and what should be used one, not whether.
      if (field === 'answer') return [];
      return field === 'should_call' && map.should_call === undefined
        ? columns.filter((name) => valuesOf(name).some((value) => readShouldCall(value) !== null))
        : columns;
    }),
  );
  for (const name of [map.keep ?? [], map.ignore ?? []].flat()) used.add(name);
  const free = names.filter((name) => !used.has(name) && !saysWhatRan(name));
  const guessed: ColumnMap = { ...map };
  // Alternatives that few records have say nothing of the others.
  const alternatives = (fields.acceptable_tools ?? []).flatMap(valuesOf);
  const areRare =
    fields.tool === undefined &&
    fields.expected_calls === undefined &&
    alternatives.length * 2 < sample.length;
  const offered = offeredIn(sample);
  const isTool = (name: string): boolean => catalog.resolve(name) !== null || offered.has(name);
  // Alternatives alone are those of another column.
  const hasMain =
    fields.tool === undefined &&
    fields.expected_calls === undefined &&
    free.some(
      (name) =>
        isMainName.test(plainName(lastPart(name))) &&
        toolNamesIn(valuesOf(name), fields).length > 0,
    );
  if (!saysWhich(fields) || areRare || hasMain) {
    const context = { hasServer: false, isKnown: isTool };
    const namesTools = (value: JsonValue): boolean => {
      const read = readCalls(value, context);
      if ('why' in read || read.calls.length === 0) return false;
      return read.calls.every(({ tools }) =>
        tools.every(({ server, tool }) => isTool(server === null ? tool : `${server}:${tool}`)),
      );
    };
    const saysNone = (value: JsonValue): boolean => {
      const read = readCalls(value, context);
      return saysAnswer(value, context) || (!('why' in read) && read.calls.length === 0);
    };
    const shareOfTools = (name: string): number => {
      const values = valuesOf(name).filter((value) => !saysNone(value));
      return values.length === 0 ? 0 : values.filter(namesTools).length / values.length;
    };
    // A list of the tools that are offered is what is expected only if nothing else names some.
    const tools =
      best(
        free.filter((name) => !isOfferedTools(name)),
        enough.tools,
        shareOfTools,
      ) ?? (offered.size > 0 ? null : best(free, enough.tools, shareOfTools));
    // Where each value is one name, null says that there is none.
    const isOne = (value: JsonValue): boolean => typeof value === 'string' && isTool(value);
    if (tools !== null) {
      const several = saysAny(tools) ? 'acceptable_tools' : 'expected_calls';
      guessed[valuesOf(tools).every(isOne) ? 'tool' : several] = tools;
    } else {
      const named = best(
        free,
        0,
        (name) => {
          const plain = plainName(lastPart(name));
          const found = toolNamesIn(valuesOf(name), fields);
          if (found.length === 0) return -1;
          return isExpectedName.test(plain) ||
            isNumberedName.test(plain) ||
            isHandlerName.test(plain) ||
            isMainName.test(plain) ||
            (isActionName.test(plain) && areActions(found)) ||
            (isToolsName.test(plain) && differ(valuesOf(name)))
            ? 1
            : -1;
        },
        // Of a target and the plan with all of its steps, the plan says more.
        (name) => valuesOf(name).flat().length,
      );
      // In no words that are known, the only column of names such as `get_weather` is it.
      const others = free.filter((name) => {
        const values = valuesOf(name);
        const found = toolNamesIn(values, fields);
        const own = lastPart(name);
        // Lists of several in a field such as `tools` are those that a request offers.
        const isOfOthers =
          isNeverName.test(plainName(own)) ||
          isOfferedName.test(own) ||
          (isOfferedTools(own) && found.length > values.length);
        return !isOfOthers && areActions(found) && found.length > 1 && differ(values);
      });
      const chosen = named ?? (others.length === 1 ? others[0] : undefined);
      if (chosen !== undefined) {
        guessed[valuesOf(chosen).some(Array.isArray) ? 'expected_calls' : 'tool'] = chosen;
        const also = free.find(
          (name) =>
            isSynonymsName.test(plainName(name)) && toolNamesIn(valuesOf(name), fields).length > 0,
        );
        if (also !== undefined && also !== chosen) guessed.acceptable_tools = also;
      }
    }
  }
  if (fields.forbidden_tools === undefined) {
    const { tool = [], expected_calls: calls = [] } = findFields(names, { ...guessed });
    const expected = new Set(toolNamesIn([...tool, ...calls].flatMap(valuesOf), fields));
    const never = free.find(
      (name) =>
        isNeverName.test(plainName(lastPart(name))) &&
        toolNamesIn(valuesOf(name), fields).some((each) => expected.has(each)),
    );
    if (never !== undefined) guessed.forbidden_tools = never;
  }
  if (fields.parameters === undefined) {
    const roles = findFields(names, { ...guessed });
    const left = free.filter((name) => !columnsOf(guessed).includes(name));
    const given = best(left, enough.tools, (name) =>
      shareOfArguments(sample, roles, name, { catalog, schemaOf }),
    );
    if (given !== null) guessed.parameters = given;
  }
  // Next to a tool that a record is about, a label says whether it should be called.
  const switches = [...(fields.should_call ?? []), ...(fields.no_tool ?? [])];
  const isAbout = fields.tool?.every((name) => weakNames.has(plainName(lastPart(name)))) === true;
  if (isAbout && switches.length === 0) {
    const label = free.find((name) => {
      const said = new Set(valuesOf(name).map(readShouldCall));
      return isLabelName.test(plainName(name)) && said.size === 2 && !said.has(null);
    });
    if (label !== undefined) guessed.should_call = label;
  }
  if (fields.query === undefined && !areMessages(names)) {
    // Next to a name, the description may be what a person wrote, such as the body of a mail.
    const [, ...descriptions] = map.name === undefined ? (fields.name ?? []) : [];
    const left = [...free, ...descriptions].filter((name) => !columnsOf(guessed).includes(name));
    const sentences = best(
      left,
      enough.sentences,
      (name) => {
        const texts = valuesOf(name).filter((value) => typeof value === 'string');
        return texts.length * 2 < sample.length || isInputName.test(plainName(lastPart(name)))
          ? 0
          : texts.filter((text) => countWords(text) >= 3).length / texts.length;
      },
      (name) => {
        const texts = valuesOf(name).filter((value) => typeof value === 'string');
        return texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
      },
    );
    if (sentences !== null) guessed.query = sentences;
  }
  return guessed;
}

/** Whether records have few names each and not the same ones: what is offered is the same for most. */
function differ(values: readonly JsonValue[]): boolean {
  const kinds = new Set(values.map((value) => JSON.stringify(value)));
  return (
    kinds.size > 1 && kinds.size * 3 >= values.length && values.flat().length <= 3 * values.length
  );
}

/** What a tool is given, which no person asks. */
const isInputName = /^(?:command|cmd|sql|code|script|path|filepath|pattern|regex|url)$/;
/** Columns without a name of their own. */
const isNumberedName = /^column\d+$/;
/** Those to whom a request goes, where they are called otherwise than tools. */
const isHandlerName =
  /^(?:route|routedto|(?:expect(?:s|ed)?|gold(?:en)?|correct|target)(?:agent|worker|handler|skill|api|route)s?)$/;
/** Those from which a model chooses, and what it chose. */
const isOfferedName =
  /candidate|available|offered|option|choice|catalog|actual|observed|predict|response|result|output/i;
/** Those that must not be, in no words that speak of tools. */
const isNeverName =
  /^(?:forbid|prohibit|disallow|banned|avoid|never|exclude|(?:must|should)(?:exclude|not))/;
/** The best one, next to those that are accepted too. */
const isMainName = /^(?:preferred|primary|ideal|canonical)$/;
/** Those that are as good as the one next to them. */
const isSynonymsName = /^(?:synonyms?|equivalents?|aliases)$/;
const isExpectedName = /^(?:expect(?:s|ed)?|gold(?:en)?|correct|groundtruth)$/;
/** What programs call a tool that isn’t named one: the intent, the action, the plan of several. */
const isActionName =
  /^(?:target|intent|action|(?:expect(?:s|ed)?|gold(?:en)?|correct|groundtruth|reference|target|required)(?:(?:intent|action|plan|api|command|operation|target|chain|step)s?))$/;
/** Tools that belong to a request, and are neither those of a run nor those that are offered. */
const isToolsName =
  /^(?:mcp|primary|main|relevant|appropriate|suitable|recommended|associated|matching|best)(?:tool|function)s?$/;
/**
 * The names of tools in values of what is expected, in every notation of a call, where no server has
 * them; none if a value is something else, or most are words that may be a class, such as `spam`.
 */
function toolNamesIn(given: readonly JsonValue[], { parameters }: FieldColumns): string[] {
  const unknown = { hasServer: false, isKnown: () => false };
  const names: string[] = [];
  let written = 0;
  for (const value of given.flat()) {
    if (saysAnswer(value, unknown)) continue;
    const read = readCalls(value, unknown);
    if ('why' in read || read.unread.length > 0) return [];
    for (const { tools, parameters: own } of read.calls)
      for (const { server, tool } of tools) {
        const name = server === null ? tool : `${server}:${tool}`;
        // A name with two colons is that of a record or a document.
        if (!/^[A-Za-z][\w./-]*(?::[\w./-]+)?$/.test(name)) return [];
        names.push(tool);
        // A path such as `guides/start` is most often one of a document.
        if (own !== undefined || /[a-z\d][_.:-]|[a-z][A-Z]/.test(name.split('/').at(-1) ?? ''))
          written += 1;
      }
  }
  return parameters !== undefined || written * 2 > names.length ? names : [];
}

const isLabelName =
  /^(?:(?:is|expected)?(?:relevant|positive|applicable)|labels?|expected(?:label|behaviou?r|result|outcome)?|gold|groundtruth|kind|type|class|polarity|intent)$/;

/** The names of the tools that records offer, in a list of names or of definitions. */
function offeredIn(records: readonly SourceRecord[]): ReadonlySet<string> {
  const offered = new Set<string>();
  for (const { values } of records)
    for (const [name, value] of values) {
      if (!isOfferedTools(name) || !Array.isArray(value) || value.length < 2) continue;
      for (const each of value) {
        const inner =
          isJsonObject(each) && isJsonObject(each['function']) ? each['function'] : each;
        const tool = isJsonObject(inner) ? inner['name'] : inner;
        if (typeof tool === 'string') offered.add(tool);
      }
    }
  return offered;
}

const isFlag = (value: JsonValue): boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && /^(?:true|false)$/i.test(value));

/** Whether a value can't be what a field holds: a switch, or one word for arguments. */
const holdsNothing: Partial<Record<MappedField, (value: JsonValue) => boolean>> = {
  parameters: (value) =>
    typeof value === 'string' ? /^[\w -]+$/.test(value) : typeof value !== 'object',
  allowed_calls: isFlag,
  acceptable_tools: isFlag,
};

/**
 * Next to the tool that is expected, a column of true and false alone says how a run went, as
 * `correct_tool` in a table of results: it isn't read. No more are columns such as
 * `allow_extra_tool_calls` and `parameter_pattern`, whose values are none of their field.
 */
function withoutFlags(
  records: readonly SourceRecord[],
  names: readonly string[],
  map: ColumnMap,
): ColumnMap {
  const { tool = [], expected_calls: calls = [] } =
    map.tool === undefined ? findFields(names, map) : {};
  const areAll = (name: string, is: (value: JsonValue) => boolean): boolean => {
    const values = records
      .map((record) => record.values.get(name) ?? null)
      .filter((value) => !isEmpty(value));
    return values.length > 0 && values.every(is);
  };
  const flags = tool.filter((name) => areAll(name, isFlag));
  const fields = findFields(names, map);
  const others = (Object.keys(holdsNothing) as MappedField[]).flatMap((field) =>
    map[field] === undefined
      ? (fields[field] ?? []).filter(
          (name) =>
            !fieldNames[field].includes(plainName(lastPart(name))) &&
            areAll(name, holdsNothing[field] ?? isFlag),
        )
      : [],
  );
  const left = [...(flags.length === tool.length + calls.length ? [] : flags), ...others];
  return left.length === 0 ? map : { ...map, ignore: [...[map.ignore ?? []].flat(), ...left] };
}

/** The share of the values of a name that are arguments of the tool of their record, by its schema. */
function shareOfArguments(
  sample: readonly SourceRecord[],
  roles: FieldColumns,
  name: string,
  { catalog, schemaOf }: Required<Pick<ReadOptions, 'catalog' | 'schemaOf'>>,
): number {
  let [count, fitting] = [0, 0];
  for (const { values } of sample) {
    const value = values.get(name);
    if (value === undefined || isEmpty(value)) continue;
    count += 1;
    const given = isJsonObject(value) || typeof value === 'string' ? readArguments(value) : null;
    const named = [...(roles.tool ?? []), ...(roles.expected_calls ?? [])]
      .map((each) => values.get(each))
      .find((each) => typeof each === 'string');
    const tool = typeof named === 'string' ? catalog.resolve(named) : null;
    const properties = tool === null ? undefined : schemaOf(tool)?.['properties'];
    const own = Object.keys(given ?? {});
    if (isJsonObject(properties) && own.length > 0 && own.every((each) => each in properties))
      fitting += 1;
  }
  return count === 0 ? 0 : fitting / count;
}

/** The name with the highest share, and of several that with the highest rank; null below `least`. */
function best(
  names: readonly string[],
  least: number,
  share: (name: string) => number,
  rank: (name: string) => number = () => 0,
): string | null {
  let found: { name: string; share: number; rank: number } | null = null;
  for (const name of names) {
    const own = { name, share: share(name), rank: 0 };
    if (own.share < least) continue;
    own.rank = rank(name);
    const isBetter =
      found === null || (rank(found.name) > 0 ? own.rank > found.rank : own.share > found.share);
    if (isBetter) found = own;
  }
  return found?.name ?? null;
}
