import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { findFields, noMap, saysExpectation } from './fieldNames.ts';
import { flattenRecord } from './flattenRecord.ts';
import type { Change } from './suiteDraft.ts';
import { keyText } from './values.ts';

const maxDepth = 3;
/** The share of the records that the other list has to have. */
const enough = 0.8;

/** A record of a document, with its name in an object. */
interface KeyedRecord {
  value: JsonObject;
  key: string | null;
  changes?: readonly Change[];
}

/** A record by its id in another list, or in an object. */
type Others = ReadonlyMap<string, JsonValue>;

/**
 * Records that only ask, each with what another list, or an object with their ids as names, says of
 * it: `{questions: [{id, text}], answers: [{id, tool}]}`. Null if no list of the document is about them.
 */
export function joinById<Found extends KeyedRecord>(
  document: JsonValue,
  records: readonly Found[],
): Found[] | null {
  const ids = records.map(idOf);
  const known = new Set(ids.filter((id) => id !== null));
  if (known.size < 2 || known.size < records.length * enough) return null;
  const own = new Set<JsonValue>(records.map(({ value }) => value));
  const found = othersIn(document, '', known, own, 0);
  if (found === null) return null;
  return records.map((record, at) => {
    const other = found.others.get(ids[at] ?? '');
    return other === undefined
      ? record
      : {
          ...record,
          value: { ...fieldsOf(other, found.name), ...record.value },
          changes: [
            ...(record.changes ?? []),
            { what: found.name, why: 'What it says of the same ID is read as expected.' },
          ],
        };
  });
}

function idOf({ value, key }: KeyedRecord): string | null {
  const [name] = findFields(Object.keys(value), noMap).id ?? [];
  const id = name === undefined ? key : value[name];
  return keyText(id);
}

const fieldsOf = (other: JsonValue, name: string): JsonObject => {
  if (isJsonObject(other)) return other;
  const says = saysExpectation(findFields([name], noMap));
  return { [says ? name : 'expected_tools']: other };
};

const says = (values: readonly JsonValue[]): boolean =>
  values.some(
    (value) =>
      isJsonObject(value) && saysExpectation(findFields([...flattenRecord(value).keys()], noMap)),
  );

function othersIn(
  value: JsonValue,
  name: string,
  ids: ReadonlySet<string>,
  own: ReadonlySet<JsonValue>,
  depth: number,
): { name: string; others: Others } | null {
  if (depth > maxDepth || own.has(value)) return null;
  const isEnough = (others: Others): boolean =>
    [...others.keys()].filter((id) => ids.has(id)).length >= ids.size * enough;
  if (Array.isArray(value)) {
    const objects = value.filter(isJsonObject);
    if (objects.length === 0 || objects.some((each) => own.has(each)) || !says(objects))
      return null;
    for (const field of Object.keys(objects[0] ?? {})) {
      const others = new Map(objects.map((each) => [keyText(each[field]) ?? '', each] as const));
      if (isEnough(others)) return { name, others };
    }
    return null;
  }
  if (!isJsonObject(value)) return null;
  const entries = Object.entries(value);
  const others = new Map(entries);
  const areTools = entries.every(([, each]) =>
    [each].flat().every((one) => typeof one === 'string' && /^[\w.:/-]*$/.test(one)),
  );
  if (isEnough(others) && (areTools || says(entries.map(([, each]) => each))))
    return { name, others };
  for (const [member, each] of entries) {
    const inner = othersIn(each, member, ids, own, depth + 1);
    if (inner !== null) return inner;
  }
  return null;
}
