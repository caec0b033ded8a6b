import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';

/** A description of 100 tokens is shorter than this, so longer texts aren't worth a try. */
const maxTriedLength = 1_000;
/** About 100, 70 and 40 tokens, for a first sentence that is too long by itself. */
const wordCounts = [75, 50, 30];

/**
 * Shorter versions of a description, the longest first: the whole sentences from its start, then
 * the first words of a text whose first sentence is too long. Never empty for a text with words.
 */
export function shorterDescriptions(text: string): string[] {
  const start = text.trim().slice(0, maxTriedLength);
  const ends = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(start)].map(
    ({ index, segment }) => index + segment.length,
  );
  // The last sentence of a text that was cut above may be incomplete.
  const whole = start.length < text.trim().length ? ends.slice(0, -1) : ends;
  const words = start.split(/\s+/);
  return [
    ...whole.map((end) => start.slice(0, end).trim()).reverse(),
    ...wordCounts
      .filter((count) => count < words.length)
      .map((count) => words.slice(0, count).join(' ')),
  ];
}

/**
 * Simpler versions of an input schema, each without what the ones before are without: notes that no
 * validator reads, all but the first sentence of descriptions, descriptions below the top level, all
 * descriptions. Each accepts exactly the same arguments.
 */
export function simplerSchemas(schema: JsonObject): JsonObject[] {
  return [
    withoutNotes(schema, (text) => text),
    withoutNotes(schema, firstSentence),
    withoutNotes(schema, (text, depth) => (depth <= 1 ? firstSentence(text) : null)),
    withoutNotes(schema, () => null),
  ];
}

const notes = new Set(['$schema', '$comment', 'title', 'examples']);
/** Keywords whose value maps names to schemas: `title` in there is a property, not a note. */
const mapsOfSchemas = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose value is data and no schema. */
const data = new Set(['const', 'enum', 'default', 'required']);

type Describe = (text: string, depth: number) => string | null;

function withoutNotes(schema: JsonObject, describe: Describe, depth = 0): JsonObject {
  const kept: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (notes.has(key)) continue;
    if (key === 'description') {
      const text = typeof value === 'string' ? describe(value, depth) : null;
      if (text !== null) kept.push([key, text]);
    } else if (mapsOfSchemas.has(key) && isJsonObject(value))
      kept.push([
        key,
        Object.fromEntries(
          Object.entries(value).map(([name, child]) => [
            name,
            isJsonObject(child) ? withoutNotes(child, describe, depth + 1) : child,
          ]),
        ),
      ]);
    else kept.push([key, data.has(key) ? value : inside(value, describe, depth + 1)]);
  }
  return Object.fromEntries(kept);
}

function inside(value: JsonValue, describe: Describe, depth: number): JsonValue {
  if (Array.isArray(value)) return value.map((each) => inside(each, describe, depth));
  return isJsonObject(value) ? withoutNotes(value, describe, depth) : value;
}

function firstSentence(text: string): string {
  const [first] = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text.trim());
  return first?.segment.trim() ?? '';
}
