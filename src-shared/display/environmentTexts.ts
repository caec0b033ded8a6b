import {
  environmentVariables,
  type EnvironmentSetting,
  type EnvironmentValues,
} from '../domain/environmentDefaults.ts';

const names: Record<EnvironmentSetting, string> = {
  model: 'model',
  timeout: 'timeout',
  temperature: 'temperature',
  maxRetries: 'retries',
  baseUrl: 'base URL of compatible endpoints',
};

/** What the environment sets, with the variable of each value; null if it sets nothing. */
export function environmentLine(values: EnvironmentValues): string | null {
  const parts = Object.entries(environmentVariables).flatMap(([name, variable]) => {
    const setting = name as EnvironmentSetting;
    const value = values[setting];
    return value === undefined
      ? []
      : [`${names[setting]} ${value ?? 'none'}${setting === 'timeout' ? ' s' : ''} (${variable})`];
  });
  return parts.length === 0 ? null : `From the environment: ${parts.join(', ')}.`;
}
