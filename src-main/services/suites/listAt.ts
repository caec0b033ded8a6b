import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';

/** The list under a name; empty if there is none. */
export function listAt(value: JsonValue, name: string): readonly JsonValue[] {
  const found = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(found) ? found : [];
}
