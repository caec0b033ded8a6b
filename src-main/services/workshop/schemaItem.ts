import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';

/** A request to the schema worker. */
export type SchemaItem =
  | { kind: 'schema'; schema: JsonObject }
  | { kind: 'value'; schema: JsonObject; value: JsonValue; what: string };
