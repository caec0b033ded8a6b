import { Action } from '../../../ui/fields/Action.tsx';
import {
  formatCount,
  formatPercent,
  formatSigned,
} from '../../../../src-shared/display/numbers.ts';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import type { Optimization, OptimizationStep } from '../../../../src-shared/domain/optimization.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { stepBadge } from '../../results/result/optimizationStates.ts';
import classes from './optimizer.module.css';
import { PlainTable } from '../../../ui/table/PlainTable.tsx';

interface StepTableProps {
  optimization: Optimization;
  startTokens: number;
  shown: number | null;
  onOpen: (step: number) => void;
}

const shownTools = 2;

/** Every step, the last one first, with why it was kept or not. */
export function StepTable({ optimization, startTokens, shown, onOpen }: StepTableProps) {
  return (
    <Section title="Steps">
      <div className={classes.steps} tabIndex={0} role="region" aria-label="All steps">
        <PlainTable
          label="Steps"
          stickyHeader
          withTableBorder={false}
          heads={[
            ...['Step', 'Tools edited', 'How or why'],
            ...['Screening', 'Search half', 'Tokens', 'Result'],
          ]}
          numeric={[3, 4, 5]}
          rows={optimization.steps.toReversed().map((each) => {
            const { step, toolIds, screening, passRate, tokens } = each;
            return {
              key: step,
              current: step === shown,
              cells: [
                <Action
                  label={step}
                  size="compact-xs"
                  aria-label={`Show step ${step}`}
                  aria-pressed={step === shown}
                  onClick={() => onOpen(step)}
                />,
                <span className={`ts-mono ${classes.tools ?? ''}`}>
                  <Foreign text={toolsText(toolIds)} />
                </span>,
                <Foreign text={whyText(each)} limit={200} />,
                screening === null
                  ? '–'
                  : `${formatCount(screening.passed)} of ${formatCount(screening.cases)}`,
                formatPercent(passRate),
                tokens === null ? '–' : formatSigned(tokens - startTokens, 0),
                <StatusBadge {...stepBadge(each, optimization.state, optimization.result)} />,
              ],
            };
          })}
        />
      </div>
    </Section>
  );
}

function toolsText(toolIds: readonly string[]): string {
  const names = toolIds.map((id) => splitToolId(id).tool);
  const more = names.length - shownTools;
  return more > 0
    ? `${names.slice(0, shownTools).join(', ')}, ${formatCount(more)} more`
    : names.join(', ');
}

const whyText = ({ why, kind, parents, reason }: OptimizationStep): string =>
  why ?? (kind === 'merge' ? `Merges steps ${parents.join(' and ')}` : reason);
