import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { ManagedTool, ModelForm, ToolContent } from '../../../src-shared/domain/workshop.ts';

/** Limit of OpenAI and Anthropic for the name of a tool. */
const maxProviderName = 64;

/** Why a provider would reject the tool; null if it accepts it. */
export function providerRefusal(content: ToolContent, form: ModelForm): string | null {
  if (form === 'mcp' || content.name.length <= maxProviderName) return null;
  return (
    `Its name has ${content.name.length} characters; ` +
    `${form === 'openai' ? 'OpenAI' : 'Anthropic'} takes ${maxProviderName} at most.`
  );
}

/** Where clients find a tool's category: MCP lets a server add keys under a prefix of its own. */
const categoryKey = 'touchstone/category';

/** Converts a tool to the format of a provider or an MCP client. */
export function toModelForm(
  { content }: Pick<ManagedTool, 'content'>,
  form: ModelForm,
  category: readonly string[] = [],
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
    ...(category.length > 0 && { _meta: { [categoryKey]: category.join('/') } }),
  };
}

/** MCP only publishes output schemas of objects. Other outputs are still checked. */
function isPublishedOutput(outputSchema: JsonObject): boolean {
  return outputSchema['type'] === 'object';
}
