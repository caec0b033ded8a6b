import type { Tool } from '../../../src-shared/domain/tool.ts';
import { cutDepth } from '../../scoring/depth.ts';

/**
 * A tool as it can be shown anywhere: a schema that nests beyond reason is cut there, or sending it
 * would exhaust a stack.
 */
export function limitSchemaDepth<T extends Tool>(tool: T): T {
  return {
    ...tool,
    inputSchema: cutDepth(tool.inputSchema),
    outputSchema: tool.outputSchema && cutDepth(tool.outputSchema),
    annotations: tool.annotations && cutDepth(tool.annotations),
  };
}
