import type { ColumnMap } from '../../../../src-shared/contract/suites.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { ReadOptions } from './caseExchange.ts';
import { readCalls } from './callValues.ts';
import { findFields, saysExpectation } from './fieldNames.ts';
import type { SourceRecord } from './recordFields.ts';
import { noCatalog } from './toolCatalog.ts';
import { isEmpty } from './values.ts';

/** Records whose values are looked at. */
const sampled = 200;
/** The share of a field's values that must look like a role. */
const enough = 0.6;

/**
 * Adds to a map what no name tells: the expected tool is in the field whose values name tools of
 * registered servers, the query in that with the longest sentences.
 */
export function guessByValues(
  records: readonly SourceRecord[],
  names: readonly string[],
  { map, catalog = noCatalog }: { map: ColumnMap } & Pick<ReadOptions, 'catalog'>,
): ColumnMap {
  const fields = findFields(names, map);
  // An answer may be the name of a tool.
  const used = new Set(
    Object.entries(fields).flatMap(([field, columns]) => (field === 'answer' ? [] : columns)),
  );
  for (const name of [map.keep ?? [], map.ignore ?? []].flat()) used.add(name);
  const free = names.filter((name) => !used.has(name));
  const sample = records.slice(0, sampled);
  const valuesOf = (name: string): JsonValue[] =>
    sample.flatMap(({ values }) => {
      const value = values.get(name);
      return value === undefined || isEmpty(value) ? [] : [value];
    });
  const guessed: ColumnMap = { ...map };
  if (!saysExpectation(fields)) {
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
      return !('why' in read) && read.calls.length === 0;
    };
    const tools = best(free, (name) => {
      const values = valuesOf(name).filter((value) => !saysNone(value));
      return values.length === 0 ? 0 : values.filter(namesTools).length / values.length;
    });
    if (tools !== null) guessed.expected_calls = tools;
  }
  if (fields.query === undefined) {
    const left = free.filter((name) => !Object.values(guessed).flat().includes(name));
    const sentences = best(
      left,
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

/** The name with the highest share, and of several that with the highest rank; null below `enough`. */
function best(
  names: readonly string[],
  share: (name: string) => number,
  rank: (name: string) => number = () => 0,
): string | null {
  let found: { name: string; share: number; rank: number } | null = null;
  for (const name of names) {
    const own = { name, share: share(name), rank: 0 };
    if (own.share < enough) continue;
    own.rank = rank(name);
    const isBetter =
      found === null || (rank(found.name) > 0 ? own.rank > found.rank : own.share > found.share);
    if (isBetter) found = own;
  }
  return found?.name ?? null;
}
