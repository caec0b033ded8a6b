/** The name of a model (`Anthropic · claude`) without its provider, where no other has the same. */
export function shortModelName(model: string, models: readonly string[]): string {
  const nameOf = (label: string): string => label.split(' · ').slice(1).join(' · ') || label;
  const name = nameOf(model);
  return models.filter((other) => nameOf(other) === name).length > 1 ? model : name;
}

/** The names of several models: `gpt-5-mini, qwen3:8b`. */
export const shortModelNames = (models: readonly string[]): string =>
  models.map((model) => shortModelName(model, models)).join(', ');
