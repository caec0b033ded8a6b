import type { ColumnMap } from '../../../../src-shared/contract/suites.ts';
import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import type { ReadOptions } from './caseExchange.ts';
import { readCalls, saysAnswer } from './callValues.ts';
import { readArguments } from './writtenArguments.ts';
import {
  findFields,
  lastPart,
  plainName,
  saysWhatRan,
  saysWhich,
  type FieldColumns,
} from './fieldNames.ts';
import { saysAny } from './namePatterns.ts';
import type { SourceRecord } from './recordFields.ts';
import { noCatalog } from './toolCatalog.ts';
import { isEmpty } from './values.ts';

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
  // An answer may be the name of a tool.
  const used = new Set(
    Object.entries(fields).flatMap(([field, columns]) => (field === 'answer' ? [] : columns)),
  );
  for (const name of [map.keep ?? [], map.ignore ?? []].flat()) used.add(name);
  const free = names.filter((name) => !used.has(name) && !saysWhatRan(name));
  const sample = records.slice(0, sampled);
  const valuesOf = (name: string): JsonValue[] =>
    sample.flatMap(({ values }) => {
      const value = values.get(name);
      return value === undefined || isEmpty(value) ? [] : [value];
    });
  const guessed: ColumnMap = { ...map };
  if (!saysWhich(fields)) {
    const context = { hasServer: false, isKnown: (tool: string) => catalog.resolve(tool) !== null };
    const namesTools = (value: JsonValue): boolean => {
      const read = readCalls(value, context);
      if ('why' in read || read.calls.length === 0) return false;
      return read.calls.every(({ tools }) =>
        tools.every(
          ({ server, tool }) =>
            catalog.resolve(server === null ? tool : `${server}:${tool}`) !== null,
        ),
      );
    };
    const saysNone = (value: JsonValue): boolean => {
      const read = readCalls(value, context);
      return saysAnswer(value, context) || (!('why' in read) && read.calls.length === 0);
    };
    const tools = best(free, enough.tools, (name) => {
      const values = valuesOf(name).filter((value) => !saysNone(value));
      return values.length === 0 ? 0 : values.filter(namesTools).length / values.length;
    });
    // Where each value is one name, null says that there is none.
    const isOne = (value: JsonValue): boolean =>
      typeof value === 'string' && catalog.resolve(value) !== null;
    if (tools !== null) {
      const several = saysAny(tools) ? 'acceptable_tools' : 'expected_calls';
      guessed[valuesOf(tools).every(isOne) ? 'tool' : several] = tools;
    } else {
      const named = free.find(
        (name) =>
          isExpectedName.test(plainName(lastPart(name))) && areToolNames(valuesOf(name), fields),
      );
      if (named !== undefined)
        guessed[valuesOf(named).some(Array.isArray) ? 'expected_calls' : 'tool'] = named;
    }
  }
  if (fields.parameters === undefined) {
    const roles = findFields(names, { ...guessed });
    const left = free.filter((name) => !Object.values(guessed).flat().includes(name));
    const given = best(left, enough.tools, (name) =>
      shareOfArguments(sample, roles, name, { catalog, schemaOf }),
    );
    if (given !== null) guessed.parameters = given;
  }
  if (fields.query === undefined) {
    const left = free.filter((name) => !Object.values(guessed).flat().includes(name));
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

const isExpectedName = /^(?:expect(?:s|ed)?|gold(?:en)?|correct|groundtruth)$/;

/** Whether values of what is expected are written as names of tools, where no server has them. */
function areToolNames(given: readonly JsonValue[], { parameters }: FieldColumns): boolean {
  const names = given
    .flat()
    .filter((value) => !saysAnswer(value, { hasServer: false, isKnown: () => false }));
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

const isFlag = (value: JsonValue): boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && /^(?:true|false)$/i.test(value));

/**
 * Next to the tool that is expected, a column of true and false alone says how a run went, as
 * `correct_tool` in a table of results: it isn't read.
 */
function withoutFlags(
  records: readonly SourceRecord[],
  names: readonly string[],
  map: ColumnMap,
): ColumnMap {
  const { tool = [], expected_calls: calls = [] } =
    map.tool === undefined ? findFields(names, map) : {};
  const flags = tool.filter((name) => {
    const values = records
      .map((record) => record.values.get(name) ?? null)
      .filter((value) => !isEmpty(value));
    return values.length > 0 && values.every(isFlag);
  });
  return flags.length === 0 || flags.length === tool.length + calls.length
    ? map
    : { ...map, ignore: [...[map.ignore ?? []].flat(), ...flags] };
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
