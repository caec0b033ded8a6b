import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';

/**
 * The drafts of JSON Schema by number, in which a keyword exists from one draft on. OpenAPI 3.0 has
 * the keywords of draft-04; OpenAPI 3.1 is 2020-12.
 */
export type SchemaDialect = 3 | 4 | 6 | 7 | 2019 | 2020;

const byAddress: readonly (readonly [RegExp, SchemaDialect])[] = [
  [/^json-schema\.org\/draft-0?3\//u, 3],
  [/^json-schema\.org\/draft-0?[45]\//u, 4],
  [/^json-schema\.org\/draft-0?6\//u, 6],
  [/^json-schema\.org\/draft-0?7\//u, 7],
  [/^json-schema\.org\/draft\/2019-09\//u, 2019],
  [/^spec\.openapis\.org\/oas\/3\.0/u, 4],
];

/**
 * The dialect that `$schema` names, with http or https, in any case, with or without `#`. 2020-12 if
 * it names none, is empty, is no text, or is unknown: it reads the keywords of all drafts that don't
 * contradict each other.
 */
export function readDialect(named: JsonValue | undefined): SchemaDialect {
  if (typeof named !== 'string') return 2020;
  const address = addressOf(named);
  return byAddress.find(([pattern]) => pattern.test(address))?.[1] ?? 2020;
}

const addressOf = (named: string): string =>
  named
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/u, '')
    .replace(/[#/]*$/u, '/');

/** Whether `$schema` names a draft of JSON Schema or a dialect of OpenAPI. */
export const isKnownDialect = (named: string): boolean =>
  /^(?:json-schema\.org\/(?:draft-0?[3-7]|draft\/20(?:19-09|20-12))|spec\.openapis\.org\/oas\/3\.\d)\//u.test(
    addressOf(named),
  );

/** The dialect that an embedded schema names itself, if it does. */
export const ownDialect = (schema: JsonObject): SchemaDialect | null =>
  typeof schema['$schema'] === 'string' && schema['$schema'] !== ''
    ? readDialect(schema['$schema'])
    : null;
