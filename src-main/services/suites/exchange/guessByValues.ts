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
import { saysAny } from './namePatterns.ts';
import type { SourceRecord } from './recordFields.ts';
import { noCatalog } from './toolCatalog.ts';
import { fieldNames, weakNames } from './fieldNameTable.ts';
import { isEmpty, readShouldCall } from './values.ts';

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
  if (!saysWhich(fields) || areRare) {
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
          if (!areToolNames(valuesOf(name), fields)) return -1;
          return isExpectedName.test(plain) ||
            isNumberedName.test(plain) ||
            isHandlerName.test(plain) ||
            (isActionName.test(plain) && areActions(valuesOf(name))) ||
            (isToolsName.test(plain) && differ(valuesOf(name)))
            ? 1
            : -1;
        },
        // Of a target and the plan with all of its steps, the plan says more.
        (name) => valuesOf(name).flat().length,
      );
      if (named !== null)
        guessed[valuesOf(named).some(Array.isArray) ? 'expected_calls' : 'tool'] = named;
    }
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
        return texts.length * 2 < sample.length
          ? 0
          : texts.filter((text) => text.trim().split(/\s+/).length >= 3).length / texts.length;
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

/** Columns without a name of their own. */
const isNumberedName = /^column\d+$/;
/** Those to whom a request goes, where they are called otherwise than tools. */
const isHandlerName =
  /^(?:expect(?:s|ed)?|gold(?:en)?|correct|target)(?:agent|worker|handler|skill|api)s?$/;
const isExpectedName = /^(?:expect(?:s|ed)?|gold(?:en)?|correct|groundtruth)$/;
/** What programs call a tool that isn’t named one: the intent, the action, the plan of several. */
const isActionName =
  /^(?:target|intent|action|(?:expect(?:s|ed)?|gold(?:en)?|correct|groundtruth|reference|target|required)(?:(?:intent|action|plan|api|command|operation|target|chain|step)s?))$/;
/** Tools that belong to a request, and are neither those of a run nor those that are offered. */
const isToolsName =
  /^(?:mcp|primary|main|relevant|appropriate|suitable|recommended|associated|matching|best)(?:tool|function)s?$/;
/** Words for what a tool does, at the beginning of most names of tools. */
const doing =
  /^(?:get|list|find|search|lookup|fetch|read|query|show|view|check|track|count|compare|calculate|convert|create|add|book|make|write|post|send|submit|request|schedule|reserve|update|edit|set|change|move|rename|assign|delete|remove|cancel|close|clear|run|execute|call|open|start|stop|play|apply|validate|checkout|transfer|pay|refund|generate|translate|summarize|export|import|upload|download)(?:[_.:/-]|(?=[A-Z]))/;

/** Whether most names begin with what a tool does: a name such as `target` may be that of anything. */
const areActions = (given: readonly JsonValue[]): boolean => {
  const names = given.flat().filter((value) => typeof value === 'string');
  return names.filter((name) => doing.test(name)).length * 2 > names.length;
};

/** Whether values of what is expected are written as names of tools, where no server has them. */
function areToolNames(given: readonly JsonValue[], { parameters }: FieldColumns): boolean {
  const names = given.flat().filter((value) => !saysAnswer(value, { isKnown: () => false }));
  const words = names.filter(
    (value): value is string => typeof value === 'string' && /^[A-Za-z][\w.:/-]*$/.test(value),
  );
  const written = words.filter((word) => /[a-z\d][_.:/-]|[a-z][A-Z]/.test(word));
  // One word alone may be a class, such as `spam`.
  return (
    names.length > 0 &&
    names.every((value) => words.some((word) => word === value) || readsAsNone(value)) &&
    (parameters !== undefined || written.length * 2 > names.length)
  );
}
const readsAsNone = (value: JsonValue): boolean => {
  const read = readCalls(value, { hasServer: false, isKnown: () => false });
  return !('why' in read) && read.calls.length === 0;
};

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
