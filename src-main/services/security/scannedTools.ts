import type { ScannedTool, ToolFinding } from '../../../src-shared/domain/security.ts';

/** The findings of all tools in one list, in the order of the tools. */
export const allFindings = (tools: readonly ScannedTool[]): ToolFinding[] =>
  tools.flatMap(({ findings }) => findings);

/** Tools among the examined texts; instructions, prompts and resources are none. */
export const countScannedTools = (tools: readonly Pick<ScannedTool, 'tool' | 'item'>[]): number =>
  tools.filter(({ tool, item }) => tool !== '' && item === undefined).length;
