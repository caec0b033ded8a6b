import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';

export const builtinWireApi = 'builtin';

/** The tools as this provider sees them: pure and deterministic. */
export function describeBuiltinTools(tools: readonly SnapshotTool[]): JsonValue[] {
  return tools.map(({ server, name, description, inputSchema }) => ({
    server,
    name,
    description,
    inputSchema,
  }));
}
