/**
 * Row and column labels of the confusion matrix. They cannot collide with a tool id, which always
 * contains a colon.
 */
export const NO_TOOL = '(no tool)';
export const PHANTOM = '(phantom)';

/**
 * Makes a tool id, `server:tool`. It can be split again without ambiguity, because server names
 * contain no colon (checked when they are created).
 */
export function toolId(server: string, tool: string): string {
  return `${server}:${tool}`;
}

/** The inverse of `toolId`. Without a colon, the whole id is the tool. */
export function splitToolId(id: string): { server: string; tool: string } {
  const at = id.indexOf(':');
  return at < 0 ? { server: '', tool: id } : { server: id.slice(0, at), tool: id.slice(at + 1) };
}
