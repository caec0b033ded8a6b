import { NO_TOOL, PHANTOM, splitToolId } from '../../../../src-shared/domain/labels.ts';

export function isTool(label: string): boolean {
  return label !== NO_TOOL && label !== PHANTOM;
}

/**
 * How labels are displayed: by the tool's name alone if all tools belong to one server, otherwise
 * with the server.
 */
export function nameLabels(labels: readonly string[]): (label: string) => string {
  const servers = new Set(labels.filter(isTool).map((label) => splitToolId(label).server));
  return (label) => {
    if (label === NO_TOOL) return 'no tool';
    if (label === PHANTOM) return 'phantom';
    return servers.size > 1 ? label : splitToolId(label).tool;
  };
}
