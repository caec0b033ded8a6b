import { compareText } from './compareText.ts';

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

const between = ' | ';

/**
 * The row label of an expected call: the tool's id, or the ids of its alternatives, sorted and each
 * once (`a:x | b:y`), so that the order in a file doesn't matter.
 */
export function rowLabel(toolIds: readonly string[]): string {
  return toolIds.length === 0 ? NO_TOOL : [...new Set(toolIds)].sort(compareText).join(between);
}

/**
 * The tools whose call is correct in this row: several for a row of alternatives, none for "(no
 * tool)" and "(phantom)". Only parts that are tool ids count, because a server's name may contain
 * the separator.
 */
export function toolsOfLabel(label: string): string[] {
  if (!isToolLabel(label)) return [];
  const parts = label.split(between);
  return parts.every((part) => part.includes(':')) ? parts : [label];
}

/** False for "(no tool)" and "(phantom)", true for a tool and for a row of alternatives. */
export function isToolLabel(label: string): boolean {
  return label !== NO_TOOL && label !== PHANTOM;
}

/** True if tools of more than one server have these labels. */
export function areOfSeveralServers(labels: readonly string[]): boolean {
  return new Set(labels.flatMap(toolsOfLabel).map((id) => splitToolId(id).server)).size > 1;
}

/** True for a row whose call several tools satisfy. */
export function isAnyOf(label: string): boolean {
  return label.includes(between) && toolsOfLabel(label).length > 1;
}

/** True if a call is in the column of a tool that its row expects. */
export function isCorrectUnit({
  expected,
  selected,
}: {
  expected: string;
  selected: string;
}): boolean {
  if (expected === selected) return isToolLabel(expected);
  return isAnyOf(expected) && toolsOfLabel(expected).includes(selected);
}
