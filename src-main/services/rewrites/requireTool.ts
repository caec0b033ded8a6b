import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { toolId as idOf } from '../../../src-shared/domain/labels.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';

/** A tool that an evaluation offers. Throws NOT_FOUND; `evaluation` is what people call it. */
export function requireTool(
  tools: readonly SnapshotTool[],
  toolId: string,
  evaluation: string,
): SnapshotTool {
  const tool = tools.find(({ server, name }) => idOf(server, name) === toolId);
  if (tool) return tool;
  throw new ServiceError('NOT_FOUND', {
    thing: `Tool ${toolId}`,
    cause: `${evaluation} doesn’t offer this tool.`,
    nextStep: 'Choose one of the tools that it offers.',
    field: 'toolId',
  });
}
