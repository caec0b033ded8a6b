import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { minTools, type AnalysedTool } from '../../../src-shared/domain/similarity.ts';

/**
 * Returns the tools of an analysis in their order, only those of `toolIds` if given. Throws INVALID
 * for fewer than two tools, for duplicate ids and for unknown ids.
 */
export function chooseTools<T extends AnalysedTool>(
  tools: readonly T[],
  toolIds?: readonly string[],
): T[] {
  const byId = new Map<string, T>();
  for (const tool of tools) {
    const id = toolId(tool.server, tool.name);
    if (byId.has(id))
      throw invalid(`Two of the tools are called ${id}.`, 'List each tool once.', 'input');
    byId.set(id, tool);
  }
  const unknown = toolIds?.find((id) => !byId.has(id));
  if (unknown !== undefined)
    throw invalid(
      `There is no tool ${unknown} among the ${tools.length} of the input.`,
      'Choose one of those.',
      'toolIds',
    );
  const wanted = toolIds === undefined ? null : new Set(toolIds);
  const chosen =
    wanted === null
      ? [...tools]
      : tools.filter(({ server, name }) => wanted.has(toolId(server, name)));
  if (chosen.length < minTools)
    throw invalid(
      `It needs at least ${minTools} tools to compare and has ${chosen.length}.`,
      'Add tools or servers.',
      'input',
    );
  return chosen;
}

const invalid = (cause: string, nextStep: string, field: string): ServiceError =>
  new ServiceError('INVALID', { thing: 'The similarity analysis', cause, nextStep, field });
