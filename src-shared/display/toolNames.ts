import {
  areOfSeveralServers,
  NO_TOOL,
  PHANTOM,
  rowLabel,
  splitToolId,
  toolsOfLabel,
} from '../domain/labels.ts';

/** The name of a tool; with its server where another of these tools has the same name. */
export function toolName(id: string, among: readonly (string | null)[]): string {
  const { tool } = splitToolId(id);
  const isShared = among.some(
    (other) => other !== null && other !== id && splitToolId(other).tool === tool,
  );
  return isShared ? id : tool;
}

/**
 * How labels are displayed: by the tool's name alone if all tools belong to one server, otherwise
 * with the server.
 */
export function nameLabels(labels: readonly string[]): (label: string) => string {
  const severalServers = areOfSeveralServers(labels);
  return (label) => {
    if (label === NO_TOOL) return 'no tool';
    if (label === PHANTOM) return 'tool not offered';
    return severalServers ? label : rowLabel(toolsOfLabel(label).map((id) => splitToolId(id).tool));
  };
}
