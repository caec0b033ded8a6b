import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';

/** What the schema worker is asked. */
export type SchemaItem =
  | { kind: 'schema'; schema: JsonObject }
  | { kind: 'value'; schema: JsonObject; value: JsonValue; what: string };
