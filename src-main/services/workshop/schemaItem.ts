import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';

/** What the schema worker is asked. */
export type SchemaItem =
  | { ask: 'schema'; schema: JsonObject }
  | { ask: 'value'; schema: JsonObject; value: JsonValue; what: string };
