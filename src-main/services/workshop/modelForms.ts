import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { ManagedTool, ModelForm, ToolContent } from '../../../src-shared/domain/workshop.ts';

/** What OpenAI and Anthropic take as the name of a tool. */
const maxProviderName = 64;

/** Why a provider would refuse the tool; null where it takes it. */
export function refusedBecause(content: ToolContent, form: ModelForm): string | null {
  if (form === 'mcp' || content.name.length <= maxProviderName) return null;
  return (
    `Its name has ${content.name.length} characters; ` +
    `${form === 'openai' ? 'OpenAI' : 'Anthropic'} takes ${maxProviderName} at most.`
  );
}

/** A tool as a provider or a client takes it. */
export function toModelForm(
  { content }: Pick<ManagedTool, 'content'>,
  form: ModelForm,
): JsonObject {
  const { name, displayName, description, inputSchema, outputSchema, executorConfig } = content;
  if (form === 'openai')
    return { type: 'function', function: { name, description, parameters: inputSchema } };
  if (form === 'anthropic') return { name, description, input_schema: inputSchema };
  const annotations = { title: displayName, ...executorConfig.annotations } as JsonObject;
  return {
    name,
    title: displayName,
    description,
    inputSchema,
    ...(isPublishedOutput(outputSchema) ? { outputSchema } : {}),
    annotations,
  };
}

/**
 * MCP publishes outputs that are objects; what another one must be is checked all the same, and not
 * told.
 */
export function isPublishedOutput(outputSchema: JsonObject): boolean {
  return outputSchema['type'] === 'object';
}
