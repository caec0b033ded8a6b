import { type AppSettings, appSettings } from '../../../src-shared/domain/settings.ts';

export type NumberSetting = Exclude<
  keyof AppSettings,
  'theme' | 'overlapWeights' | 'textModel' | 'externalRetrievers'
>;

export interface SettingField {
  name: NumberSetting;
  label: string;
  description: string;
  step: number;
  decimals: number;
  unit: string;
}

export const evaluationFields: readonly SettingField[] = [
  {
    name: 'repetitions',
    label: 'Repetitions',
    description: 'How often each case is asked of each model.',
    step: 1,
    decimals: 0,
    unit: '',
  },
  {
    name: 'concurrency',
    label: 'Runs at a time',
    description: 'How many runs are under way at once.',
    step: 1,
    decimals: 0,
    unit: '',
  },
  {
    name: 'timeout',
    label: 'Time limit',
    description: 'How long a model may take for one answer.',
    step: 1,
    decimals: 0,
    unit: ' s',
  },
  {
    name: 'temperature',
    label: 'Temperature',
    description: 'Sent to models that take one.',
    step: 0.1,
    decimals: 2,
    unit: '',
  },
  {
    name: 'maxRetries',
    label: 'Retries',
    description: 'After trouble of the provider, never after an answer.',
    step: 1,
    decimals: 0,
    unit: '',
  },
];

export const thresholdFields: readonly SettingField[] = [
  {
    name: 'highConfidence',
    label: 'High confidence from',
    description: 'At or above it a confidence counts as high.',
    step: 0.05,
    decimals: 2,
    unit: '',
  },
  {
    name: 'similarityThreshold',
    label: 'Similar from',
    description: 'A pair of tools at or above it is flagged.',
    step: 0.05,
    decimals: 2,
    unit: '',
  },
];

export type SettingResult = { ok: true; value: number } | { ok: false; problem: string };

/** The typed value as the contract accepts it, or why it doesn't. */
export function readSetting(name: NumberSetting, typed: number | string): SettingResult {
  const value =
    typeof typed === 'number' ? typed : Number(typed.trim() === '' ? Number.NaN : typed);
  if (Number.isNaN(value)) return { ok: false, problem: 'Write a number.' };
  const parsed = appSettings.shape[name].safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const { minValue, maxValue } = appSettings.shape[name];
  const whole = Number.isInteger(value) ? '' : ' whole';
  return {
    ok: false,
    problem: `Write a${whole} number from ${minValue ?? 0} to ${maxValue ?? 'any'}.`,
  };
}
