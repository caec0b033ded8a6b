import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';

/** The executor settings of a draft; null while their text is no JSON object. */
function readSettings(executorConfig: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(executorConfig.trim() === '' ? '{}' : executorConfig);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The names of the secrets that a draft declares; null while its settings can't be read. */
export function declaredSecrets(executorConfig: string): string[] | null {
  const settings = readSettings(executorConfig);
  if (settings === null) return null;
  const { secrets = [] } = settings;
  return Array.isArray(secrets) ? secrets.filter((name) => typeof name === 'string') : null;
}

export function withDeclaredSecrets(executorConfig: string, names: readonly string[]): string {
  return JSON.stringify({ ...readSettings(executorConfig), secrets: [...names] }, null, 2);
}
