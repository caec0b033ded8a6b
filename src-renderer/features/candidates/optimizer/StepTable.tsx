import { Button, Table } from '@mantine/core';
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
        <Table aria-label="Steps" stickyHeader horizontalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Step</Table.Th>
              <Table.Th>Tools edited</Table.Th>
              <Table.Th>How or why</Table.Th>
              <Table.Th ta="right">Screening</Table.Th>
              <Table.Th ta="right">Search half</Table.Th>
              <Table.Th ta="right">Tokens</Table.Th>
              <Table.Th>Result</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {optimization.steps.toReversed().map((step) => (
              <Row
                key={step.step}
                step={step}
                optimization={optimization}
                startTokens={startTokens}
                isShown={step.step === shown}
                onOpen={onOpen}
              />
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  );
}

function Row({
  step,
  optimization: { state, result },
  startTokens,
  isShown,
  onOpen,
}: {
  step: OptimizationStep;
  optimization: Optimization;
  startTokens: number;
  isShown: boolean;
  onOpen: (step: number) => void;
}) {
  const { screening, passRate, tokens } = step;
  return (
    <Table.Tr
      {...(isShown ? { 'aria-current': 'true' as const, bg: 'var(--ts-accent-soft)' } : {})}
    >
      <Table.Td>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Show step ${step.step}`}
          aria-pressed={isShown}
          onClick={() => onOpen(step.step)}
        >
          {step.step}
        </Button>
      </Table.Td>
      <Table.Td className={`ts-mono ${classes.tools ?? ''}`}>
        <Foreign text={toolsText(step.toolIds)} />
      </Table.Td>
      <Table.Td>
        <Foreign text={whyText(step)} limit={200} />
      </Table.Td>
      <Table.Td ta="right" className="ts-number">
        {screening === null
          ? '–'
          : `${formatCount(screening.passed)} of ${formatCount(screening.cases)}`}
      </Table.Td>
      <Table.Td ta="right" className="ts-number">
        {formatPercent(passRate)}
      </Table.Td>
      <Table.Td ta="right" className="ts-number">
        {tokens === null ? '–' : formatSigned(tokens - startTokens, 0)}
      </Table.Td>
      <Table.Td>
        <StatusBadge {...stepBadge(step, state, result)} />
      </Table.Td>
    </Table.Tr>
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
