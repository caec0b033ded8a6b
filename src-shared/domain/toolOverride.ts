import type { JsonObject } from './json.ts';

/** What is offered of a tool in place of what its server says, with the names of MCP. */
export interface ToolOverride {
  name?: string;
  title?: string;
  description?: string;
  inputSchema?: JsonObject;
}
