import type { Tool } from '../../../src-shared/domain/tool.ts';
import { cutDepth } from '../../scoring/depth.ts';

/**
 * A tool whose schemas are cut at a safe depth: sending or printing a schema of extreme depth would
 * exhaust the stack.
 */
export function limitSchemaDepth<T extends Tool>(tool: T): T {
  return {
    ...tool,
    inputSchema: cutDepth(tool.inputSchema),
    outputSchema: tool.outputSchema && cutDepth(tool.outputSchema),
    annotations: tool.annotations && cutDepth(tool.annotations),
  };
}
