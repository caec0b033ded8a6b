import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';

/** What every model from Claude 3.7 on accepts; longer replies choose no tool. */
const usual = 32_000;
/** The most that older models accept, as their maker states it. */
const older: readonly [RegExp, number][] = [
  [/^claude-3-5-/, 8_192],
  [/^claude-(?:3-(?:opus|sonnet|haiku)|2|instant)/, 4_096],
];

/**
 * `max_tokens` of each request: the format requires a limit, and a reply beyond it is cut off and not
 * scored. At most half of a context that is given, because a small model's endpoint refuses a limit
 * that leaves no room for the request. In tokens.
 */
export function outputLimit({
  model,
  contextTokens,
}: Pick<ModelConfiguration, 'model' | 'contextTokens'>): number {
  const limit = older.find(([pattern]) => pattern.test(model))?.[1] ?? usual;
  return contextTokens === null ? limit : Math.max(1, Math.min(limit, contextTokens >> 1));
}
