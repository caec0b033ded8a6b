import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { appendToPointer } from '../../../src-shared/domain/jsonPointer.ts';

/** A place of a value that a check can look at. */
export interface Place {
  /** JSON pointer; empty for the whole value. */
  at: string;
  /** The last name of the pointer. */
  name: string;
  depth: number;
  value: JsonValue;
}

/** The places of a value, each before those within it, up to a number. */
export function readingPlaces(value: JsonValue, most: number): { places: Place[]; more: boolean } {
  const places: Place[] = [];
  const waiting: Place[] = [{ at: '', name: '', depth: 0, value }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (places.length === most) return { places, more: true };
    places.push(place);
    const { at, depth, value: whole } = place;
    const members = Array.isArray(whole)
      ? whole.map((item, index): [string, JsonValue] => [String(index), item])
      : isJsonObject(whole)
        ? Object.entries(whole)
        : [];
    for (const [name, member] of members.toReversed())
      waiting.push({ at: appendToPointer(at, name), name, depth: depth + 1, value: member });
  }
  return { places, more: false };
}
