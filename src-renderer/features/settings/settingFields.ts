import {
  environmentVariables,
  type EnvironmentValues,
} from '../../../src-shared/domain/environmentDefaults.ts';
import {
  appSettings,
  defaultAppSettings,
  settingRows,
  type NumberSetting,
  type SettingField,
} from '../../../src-shared/domain/settings.ts';

export const evaluationFields = settingRows.filter(({ section }) => section === 'evaluation');
export const thresholdFields = settingRows.filter(({ section }) => section === 'thresholds');

export type SettingResult = { ok: true; value: number } | { ok: false; problem: string };

/** The typed value as the contract accepts it, or why it doesn't. */
export function readSetting(name: NumberSetting, typed: number | string): SettingResult {
  const value =
    typeof typed === 'number' ? typed : Number(typed.trim() === '' ? Number.NaN : typed);
  if (Number.isNaN(value)) return { ok: false, problem: 'Enter a number.' };
  const parsed = appSettings.shape[name].safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const { format, minValue, maxValue } = appSettings.shape[name];
  const whole = format === 'safeint' && !Number.isInteger(value) ? ' whole' : '';
  return {
    ok: false,
    problem: `Enter a${whole} number from ${minValue ?? 0} to ${maxValue ?? 'any'}.`,
  };
}

/** Where the number comes from that new evaluations use. */
export function originOf(
  { name, unit }: SettingField,
  value: number,
  environment: EnvironmentValues = {},
): string {
  if (name === 'timeout' || name === 'temperature' || name === 'maxRetries') {
    const set = environment[name];
    if (set !== undefined)
      return `${environmentVariables[name]} sets ${set ?? 'none'}${unit} instead.`;
  }
  const standard = defaultAppSettings[name];
  return value === standard ? 'Built-in default.' : `Built-in default: ${standard}${unit}.`;
}
