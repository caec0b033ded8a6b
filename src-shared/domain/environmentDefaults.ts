import { z } from 'zod';
import { modelConfiguration } from './model.ts';
import type { Provider } from './provider.ts';

/** The variables that prefill the settings of a model, in the order in which they are shown. */
export const environmentVariables = {
  model: 'TOUCHSTONE_MODEL',
  timeout: 'TOUCHSTONE_TIMEOUT',
  temperature: 'TOUCHSTONE_TEMPERATURE',
  maxRetries: 'TOUCHSTONE_RETRIES',
  baseUrl: 'OPENAI_BASE_URL',
} as const;
export type EnvironmentSetting = keyof typeof environmentVariables;

const settings = modelConfiguration.shape;

const values = z
  .object({
    model: settings.model,
    timeout: settings.timeout.unwrap(),
    temperature: settings.temperature.unwrap(),
    maxRetries: settings.maxRetries.unwrap(),
    baseUrl: z.string(),
  })
  .partial();
export type EnvironmentValues = z.infer<typeof values>;

/** What the environment says about the settings of a model: what it can't mean has no value. */
export const environmentDefaults = z.object({
  values,
  problems: z.array(
    z.object({ setting: values.keyof(), variable: z.string(), message: z.string() }),
  ),
});
export type EnvironmentDefaults = z.infer<typeof environmentDefaults>;

/** An address over HTTP whose host has no user name or password before it. */
const webAddress = /^https?:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/i;

/** How options, files and variables say that a setting is not sent. */
export const notSent = 'none';

const numberOf = (text: string): number => (/^[\d.]+$/.test(text) ? Number(text) : Number.NaN);

const readers: {
  [Setting in EnvironmentSetting]: {
    needs: string;
    /** Undefined where the text can't mean the setting. */
    read: (text: string) => EnvironmentValues[Setting] | undefined;
  };
} = {
  model: {
    needs: 'the name of a model, with at most 100 characters',
    read: (text) => values.shape.model.safeParse(text).data,
  },
  timeout: {
    needs: 'a whole number of seconds from 1 to 300',
    read: (text) => values.shape.timeout.safeParse(numberOf(text)).data,
  },
  temperature: {
    needs: 'a number from 0 to 2, or none',
    read: (text) =>
      values.shape.temperature.safeParse(text === notSent ? null : numberOf(text)).data,
  },
  maxRetries: {
    needs: 'a whole number from 0 to 10',
    read: (text) => values.shape.maxRetries.safeParse(numberOf(text)).data,
  },
  baseUrl: {
    needs: 'a URL that begins with http:// or https:// and holds no credentials',
    read: (text) => (webAddress.test(text) ? text : undefined),
  },
};

const isSetting = (name: string): name is EnvironmentSetting => name in environmentVariables;

/** Reads the variables. One that is empty counts as not set, as in a shell. */
export function readEnvironmentDefaults(
  environment: Readonly<Record<string, string | undefined>>,
): EnvironmentDefaults {
  const found: EnvironmentDefaults = { values: {}, problems: [] };
  for (const [setting, variable] of Object.entries(environmentVariables)) {
    const text = environment[variable]?.trim() ?? '';
    if (text === '' || !isSetting(setting)) continue;
    const { needs, read } = readers[setting];
    const value = read(text);
    if (value === undefined)
      found.problems.push({
        setting,
        variable,
        // A URL may hold a password, so it is not repeated.
        message:
          `${variable}${setting === 'baseUrl' ? '' : ` is "${text.slice(0, 40)}"`}: ` +
          `It needs ${needs}. Correct or unset it.`,
      });
    else Object.assign(found.values, { [setting]: value });
  }
  return found;
}

/**
 * What of the environment applies to a provider: its address belongs to compatible endpoints only,
 * so that no other key is sent there.
 */
export function environmentFor(
  provider: Provider,
  { baseUrl, ...others }: EnvironmentValues,
): EnvironmentValues {
  return provider === 'openai-compatible' && baseUrl !== undefined
    ? { ...others, baseUrl }
    : others;
}
