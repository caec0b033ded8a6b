/**
 * Row and column labels of the confusion matrix. A tool id always holds a colon, so the two words
 * can't collide with one.
 */
export const NO_TOOL = '(no tool)';
export const PHANTOM = '(phantom)';

/**
 * `server:tool`. Server names hold no colon (checked where they are made), so the id reads back
 * without ambiguity.
 */
export function toolId(server: string, tool: string): string {
  return `${server}:${tool}`;
}

export function splitToolId(id: string): { server: string; tool: string } {
  const at = id.indexOf(':');
  return at < 0 ? { server: '', tool: id } : { server: id.slice(0, at), tool: id.slice(at + 1) };
}
