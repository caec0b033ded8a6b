import { keepPreviousData } from '@tanstack/react-query';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import type { LintReport } from '../../../../src-shared/domain/lint.ts';
import { useRead } from '../../../api/index.ts';
import { useServerChoice, useTools } from '../table/useTools.ts';

/** The names of the servers that count and have listed their tools; of the chosen ones, if any. */
export function useListedServers(): { counted: string[]; shown: string[] } {
  const { servers, list } = useTools();
  const { chosen } = useServerChoice();
  const facts = new Map(list?.servers.map((server) => [server.id, server.counted]));
  const counted = (servers.data ?? [])
    .filter(({ id, toolCount }) => toolCount !== null && facts.get(id) === true)
    .map(({ name }) => name);
  const shown = counted.filter((name) => chosen.length === 0 || chosen.includes(name));
  return { counted, shown };
}

/**
 * What the rules find in the tools of the chosen servers. All servers that count are checked
 * together, because a tool is scored among all of them in the table too.
 */
export function useLint(serverList: string[], shown: readonly string[]) {
  const report = useRead((ask) => ask.similarity.lint, {
    input: { input: { serverList } },
    enabled: serverList.length > 0,
    placeholderData: keepPreviousData,
  });
  return { ...report, data: report.data && ofServers(report.data, shown) };
}

function ofServers(report: LintReport, servers: readonly string[]): LintReport {
  const isShown = ({ toolId }: { toolId: string }) => servers.includes(splitToolId(toolId).server);
  return {
    findings: report.findings.filter(isShown),
    tools: report.tools.filter(isShown),
    servers: report.servers
      .filter(({ server }) => servers.includes(server))
      .sort((a, b) => a.score - b.score || a.server.localeCompare(b.server)),
  };
}
