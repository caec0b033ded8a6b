import { z } from 'zod';

/** A setting that an endpoint refused, so that the requests that followed went without it. */
export const refusedSetting = z.strictObject({
  /** Its name in the request, such as `temperature` or `reasoning.effort`. */
  setting: z.string().max(200),
  /** What was sent in its place; null: nothing. */
  instead: z.string().max(200).nullable(),
  /** What the endpoint said. */
  said: z.string().max(400),
});
export type RefusedSetting = z.infer<typeof refusedSetting>;

/** `temperature wasn't sent: the endpoint refused it.` */
export const refusedText = ({ setting, instead }: RefusedSetting): string =>
  setting === 'stream'
    ? instead === null
      ? "The replies weren't streamed: the endpoint refused it."
      : 'The replies were streamed: the endpoint answers no other way.'
    : instead === null
      ? `${setting} wasn't sent: the endpoint refused it.`
      : `${instead} was sent in place of ${setting}: the endpoint refused that.`;

/** One line for each model and each setting that its endpoint refused. */
export const refusedLines = (
  models: readonly { label: string; refused?: readonly RefusedSetting[] | undefined }[],
): string[] =>
  models.flatMap(({ label, refused = [] }) =>
    refused.map((each) => `${label}: ${refusedText(each)}`),
  );

type Sent = Record<string, string | number | boolean | null>;

/** Names in requests by the names in `sent`. */
const sentNames: Readonly<Record<string, string>> = {
  'reasoning.effort': 'reasoning_effort',
  'output_config.effort': 'reasoning_effort',
  logprobs: 'confidence',
};

/** The settings that were really sent, where an endpoint refused some of them. */
export function sentAfter(sent: Sent, refused: readonly RefusedSetting[]): Sent {
  const after: Sent = { ...sent };
  for (const { setting, instead } of refused) {
    const name = sentNames[setting] ?? setting;
    const value = after[name] ?? null;
    if (name === 'stream') after['stream'] = instead === null ? null : true;
    else {
      if (name in after) after[name] = null;
      if (instead !== null && value !== null) after[instead] = value;
    }
    const body = after['body'];
    if (typeof body !== 'string') continue;
    const fields = JSON.parse(body) as Record<string, unknown>;
    const kept = Object.entries(fields).flatMap(([field, each]) =>
      field !== setting ? [[field, each]] : instead === null ? [] : [[instead, each]],
    );
    after['body'] = kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept));
  }
  return after;
}
