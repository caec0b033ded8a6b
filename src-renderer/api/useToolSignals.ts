import { useQuery } from '@tanstack/react-query';
import { detectorLabel } from '../../src-shared/display/signalTexts.ts';
import { toolId } from '../../src-shared/domain/labels.ts';
import type { ToolFinding } from '../../src-shared/domain/security.ts';
import { severityRank } from '../../src-shared/domain/severity.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { useApi } from './useApi.ts';

/** An item in a map of signals. No server name holds a line break, so it is never that of a tool. */
export const itemSignalId = ({ kind, key }: { kind: string; key: string }): string =>
  `${kind}\n${key}`;

export interface ToolSignal {
  key: string;
  severity: ToolFinding['severity'];
  title: string;
  why: string;
  text: string;
  accepted: string | null;
}

/** Whose tools are scanned; a workshop tool has the id `workshop:name`. */
type SignalSource =
  | { serverId: string }
  | { evaluationId: string }
  | { workshopIds: string[] }
  | { tools: Pick<Tool, 'server' | 'name' | 'description' | 'inputSchema'>[] };

/**
 * The signals of each tool by its id, the most severe first; empty until they are loaded. `version`
 * changes when the tools are listed again.
 */
export function useToolSignals(
  of: SignalSource | null,
  version = '',
): ReadonlyMap<string, ToolSignal[]> {
  const { queries } = useApi();
  const found = useQuery({
    ...queries.security.toolFindings.queryOptions({ input: of ?? {} }),
    queryKey: [...queries.security.toolFindings.key({ input: of ?? {} }), version],
    enabled: of !== null,
    staleTime: 60_000,
    retry: false,
  });
  const byTool = new Map<string, ToolSignal[]>();
  for (const {
    fingerprint,
    server,
    tool,
    item,
    severity,
    detector,
    why,
    text,
    accepted,
    place,
  } of found.data ?? []) {
    const id = item === undefined ? toolId(server, tool) : itemSignalId(item);
    const signal = {
      key: `${fingerprint} ${place}`,
      severity,
      title: detectorLabel(detector),
      why,
      text,
      accepted: accepted?.reason ?? null,
    };
    byTool.set(
      id,
      [...(byTool.get(id) ?? []), signal].sort(
        (a, b) => severityRank[b.severity] - severityRank[a.severity],
      ),
    );
  }
  return byTool;
}

/**
 * The most severe signal that is not accepted, with the number of others; null if there is none.
 */
export function worstSignal(
  signals: readonly ToolSignal[] | undefined,
): { severity: string; suffix: string } | null {
  const open = (signals ?? []).filter(({ accepted }) => accepted === null);
  const [first] = open;
  return first === undefined
    ? null
    : { severity: first.severity, suffix: open.length > 1 ? ` +${open.length - 1}` : '' };
}
