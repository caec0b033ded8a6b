import { z } from 'zod';
import { modelConfiguration, type ModelConfiguration } from './model.ts';
import { needsBaseUrl, providerTable, remoteProviders } from './provider.ts';
import { givenAdditions, optionalAdditions, type TypedAdditions } from './requestAdditions.ts';

/** Endpoints without an address of their own come first: most of them are free to ask. */
export const textModelProviders = [
  ...remoteProviders.filter((provider) => needsBaseUrl(provider)),
  ...remoteProviders.filter((provider) => !needsBaseUrl(provider)),
];

/** The model that writes and rates descriptions. Never contains a credential. */
export const textModel = z.strictObject({
  provider: z.enum(textModelProviders),
  model: z.string().trim().min(1, 'Name the model.').max(100),
  baseUrl: z
    .string()
    .trim()
    .max(2000)
    .regex(
      /^https?:\/\/[^\s/?#@]+(?:[/?#]|$)/u,
      'Give an address that begins with http:// or https:// and holds no user name.',
    )
    .nullable(),
  ...optionalAdditions,
});
export type TextModel = z.infer<typeof textModel>;

/**
 * The configuration for requests: temperature 0, so that the same text gets the same rating, and a
 * long timeout, because the answers are long.
 */
export function textModelConfiguration(model: TextModel): ModelConfiguration {
  return modelConfiguration.parse({ ...model, temperature: 0, timeout: 120 });
}

/** The providers that a form offers, with what its field for the address shows while empty. */
export const textModelChoices = textModelProviders.map((provider) => ({
  value: provider,
  label: providerTable[provider].label,
  placeholder: needsBaseUrl(provider) ? 'http://127.0.0.1:11434/v1' : 'empty: its own',
}));

/**
 * Reads a text model from a form; null if it is incomplete. An empty address means the provider's
 * own.
 */
export function readTextModel(typed: {
  provider: TextModel['provider'];
  model: string;
  baseUrl: string;
  additions?: TypedAdditions;
}): TextModel | null {
  const { provider, model, baseUrl, additions } = typed;
  const read = textModel.safeParse({
    provider,
    model,
    baseUrl: baseUrl.trim() === '' ? null : baseUrl,
    ...(additions && givenAdditions(additions)),
  });
  return read.success ? read.data : null;
}
