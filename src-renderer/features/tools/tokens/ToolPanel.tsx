import {
  formatShare,
  formatCount,
  formatUsd,
  counted,
} from '../../../../src-shared/display/numbers.ts';
import type { TokenReport, ToolUse } from '../../../../src-shared/domain/tokenReport.ts';
import { costPerThousand } from '../../../../src-shared/metrics/tokenCuts.ts';
import { countedAs } from '../../../../src-shared/display/tokenTexts.ts';
import { Fields } from '../../../ui/fields/Fields.tsx';
import { SidePanel } from '../../../ui/panels/panels.tsx';
import classes from './tokens.module.css';
import { parts, type Row } from './tokenColumns.tsx';

interface ToolPanelProps {
  tool: Row;
  report: TokenReport;
  use: ToolUse | null;
  onClose: () => void;
}

/** What one tool costs, part by part. */
export function ToolPanel({ tool, report, use, onClose }: ToolPanelProps) {
  const rank = 1 + report.tools.filter(({ tokenCount }) => tokenCount > tool.tokenCount).length;
  const cost = costPerThousand(tool.tokenCount, report.model?.price ?? null);
  const unused = use?.neverUsed.includes(tool.toolId) ?? false;
  return (
    <SidePanel title={tool.name} subtitle={tool.server} contentKey={tool.toolId} onClose={onClose}>
      <p className={classes.toolTotal}>
        <strong>{counted(tool.tokenCount, 'token')}</strong>
        {`, ${formatShare(tool.tokenCount / Math.max(1, report.total))} of all definitions. `}
        {rank === 1
          ? 'Most expensive tool.'
          : `Number ${formatCount(rank)} of ${counted(report.tools.length, 'tool')} by cost.`}
      </p>
      <table className={classes.parts} aria-label="Tokens by part">
        <tbody>
          {parts.map(({ part, name, hint }) => (
            <tr key={part} title={hint}>
              <th scope="row">{name}</th>
              <td>
                <span
                  className={classes.partBar}
                  style={{ width: `${(100 * tool.parts[part]) / Math.max(1, tool.tokenCount)}%` }}
                />
              </td>
              <td className="ts-number">{formatCount(tool.parts[part])}</td>
              <td className="ts-number">
                {formatShare(tool.parts[part] / Math.max(1, tool.tokenCount))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Fields
        rows={[
          { name: 'Counted', value: countedAs(report) },
          ...(tool.bodyTokens === undefined
            ? []
            : [
                {
                  name: 'Body',
                  value: `${counted(tool.bodyTokens, 'token')}, loaded when a model uses the skill`,
                },
              ]),
          ...(cost === null ? [] : [{ name: 'Per 1,000 requests', value: formatUsd(cost) }]),
          ...(use === null || use.evaluations === 0
            ? []
            : [
                {
                  name: 'Use',
                  value: unused
                    ? `Expected by none of ${counted(use.cases, 'case')}, called in none of ${counted(use.evaluations, 'evaluation')}`
                    : 'Expected by a case, called in an evaluation, or not evaluated yet',
                },
              ]),
        ]}
      />
    </SidePanel>
  );
}
