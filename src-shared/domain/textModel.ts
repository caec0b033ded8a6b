import { z } from 'zod';
import { modelConfiguration, type ModelConfiguration } from './model.ts';

export const textModelProviders = ['openai-compatible', 'openai', 'anthropic'] as const;

/** The model that writes and judges descriptions, where one is set up; never a credential. */
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
});
export type TextModel = z.infer<typeof textModel>;

/**
 * As evaluations are asked: a low temperature, for the same text is to be judged alike twice; long
 * answers take their time.
 */
export function textModelConfiguration({
  provider,
  model,
  baseUrl,
}: TextModel): ModelConfiguration {
  return modelConfiguration.parse({ provider, model, baseUrl, temperature: 0, timeout: 120 });
}

export const textModelChoices = [
  {
    value: 'openai-compatible',
    label: 'Compatible endpoint',
    placeholder: 'http://127.0.0.1:11434/v1',
  },
  { value: 'openai', label: 'OpenAI', placeholder: 'empty: its own' },
  { value: 'anthropic', label: 'Anthropic', placeholder: 'empty: its own' },
] as const satisfies readonly {
  value: TextModel['provider'];
  label: string;
  placeholder: string;
}[];

/**
 * What a form holds of a text model; null while it names none. An empty address is the provider's
 * own.
 */
export function readTextModel(typed: {
  provider: TextModel['provider'];
  model: string;
  baseUrl: string;
}): TextModel | null {
  const read = textModel.safeParse({
    ...typed,
    baseUrl: typed.baseUrl.trim() === '' ? null : typed.baseUrl,
  });
  return read.success ? read.data : null;
}
