import { formatShare, formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import type { TokenReport, ToolUse } from '../../../../src-shared/domain/tokenReport.ts';
import { countedAs } from '../../../../src-shared/display/tokenTexts.ts';
import { ChartFrame } from '../../../ui/charts/ChartFrame.tsx';
import { TreemapChart } from '../../../ui/charts/lazyCharts.ts';
import { byServer, mapFinding } from './tokenFindings.ts';

interface TokenMapProps {
  report: TokenReport;
  use: ToolUse | null;
  selected: string | null;
  onOpen: (toolId: string) => void;
}

/** Every tool as an area, by server. Tools that nothing uses are hatched. */
export function TokenMap({ report, use, selected, onOpen }: TokenMapProps) {
  const neverUsed = new Set(use?.neverUsed);
  const servers = byServer(report);
  const hasBodies = report.tools.some(({ bodyTokens }) => bodyTokens !== undefined);
  return (
    <ChartFrame
      title={mapFinding(report)}
      note={`${counted(report.tools.length, 'tool')}, counted ${countedAs(report)}`}
      fileName="tokens-by-tool"
      height={430}
      table={{
        columns: [
          { label: 'Server' },
          { label: 'Tool' },
          { label: 'Tokens', numeric: true },
          { label: 'Share', numeric: true },
          { label: 'Used' },
          ...(hasBodies ? [{ label: 'Body', numeric: true }] : []),
        ],
        rows: servers.flatMap(({ server, tools }) =>
          tools.map(({ toolId, name, tokenCount, bodyTokens }) => [
            server,
            name,
            formatCount(tokenCount),
            formatShare(tokenCount / Math.max(1, report.total)),
            neverUsed.has(toolId) ? 'never' : '–',
            ...(hasBodies ? [bodyTokens === undefined ? '–' : formatCount(bodyTokens)] : []),
          ]),
        ),
      }}
    >
      <TreemapChart
        groups={servers.map(({ server, tools }) => ({
          name: server,
          items: tools.map(({ toolId, name, tokenCount }) => ({
            id: toolId,
            name,
            value: tokenCount,
            hatched: neverUsed.has(toolId),
          })),
        }))}
        format={(tokens) =>
          `${counted(tokens, 'token')} · ${formatShare(tokens / Math.max(1, report.total))}`
        }
        areaMeaning="Area: tokens per request"
        hatchMeaning={`Unused: expected by no case and called in none of ${counted(use?.evaluations ?? 0, 'evaluation')}`}
        selected={selected}
        onOpen={onOpen}
      />
    </ChartFrame>
  );
}
