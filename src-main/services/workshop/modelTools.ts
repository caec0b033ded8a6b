import { formatCount } from '../../../src-shared/display/numbers.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import {
  categoryPath,
  type ManagedTool,
  type ModelForm,
  type ToolContent,
} from '../../../src-shared/domain/workshop.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output } from '../contractTypes.ts';

/** The active tools as an MCP server lists them. */
export function servedTools(store: Store): JsonObject[] {
  const categories = store.toolCategories.list();
  return store.tools
    .active()
    .map((tool) => toModelForm(tool, 'mcp', categoryPath(categories, tool.categoryId)));
}

/** All active tools in a provider's format, and those that the provider would reject. */
export function modelTools(
  store: Store,
  { form }: Input<'workshop', 'models'>,
): Output<'workshop', 'models'> {
  const categories = store.toolCategories.list();
  const all = store.tools.active().map((tool) => ({
    name: tool.content.name,
    tool: toModelForm(tool, form, categoryPath(categories, tool.categoryId)),
    reason: providerRefusal(tool.content, form),
  }));
  return {
    tools: all.filter(({ reason }) => reason === null).map(({ name, tool }) => ({ name, tool })),
    omitted: all.flatMap(({ name, reason }) => (reason === null ? [] : [{ name, reason }])),
  };
}

/** One active tool in a provider's format. Throws INVALID if the provider would reject it. */
export function modelTool(
  store: Store,
  { form, name }: Input<'workshop', 'model'>,
): Output<'workshop', 'model'> {
  const found = store.tools.getByName(name);
  if (found?.status !== 'ACTIVE')
    throw new ServiceError('NOT_FOUND', {
      thing: `Tool ${name}`,
      cause: 'There is no active tool with this name.',
      nextStep: 'Activate it, or choose another one.',
      field: 'name',
    });
  const reason = providerRefusal(found.content, form);
  if (reason !== null)
    throw new ServiceError('INVALID', {
      thing: `Tool ${name}`,
      cause: reason,
      nextStep: 'Give it a shorter name.',
      field: 'name',
    });
  return toModelForm(found, form, categoryPath(store.toolCategories.list(), found.categoryId));
}

/** Limit of OpenAI and Anthropic for the name of a tool. */
const maxProviderName = 64;

/** Why a provider would reject the tool; null if it accepts it. */
function providerRefusal(content: ToolContent, form: ModelForm): string | null {
  if (form === 'mcp' || content.name.length <= maxProviderName) return null;
  return (
    `Its name has ${formatCount(content.name.length)} characters; ` +
    `${form === 'openai' ? 'OpenAI' : 'Anthropic'} takes ${maxProviderName} at most.`
  );
}

/** Where clients find a tool's category: MCP lets a server add keys under a prefix of its own. */
const categoryKey = 'touchstone/category';

/** Converts a tool to the format of a provider or an MCP client. */
function toModelForm(
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
