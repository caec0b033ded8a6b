import { Box, Button, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconWand } from '@tabler/icons-react';
import { Link } from 'react-router';
import { counted, formatCount, formatPercent } from '../../../../src-shared/display/numbers.ts';
import { unitOf, type OptimizationSummary } from '../../../../src-shared/domain/optimization.ts';
import { useApi } from '../../../api/index.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { useFinishedTrials } from '../../results/useFinishedTrials.ts';
import { NewOptimization } from './NewOptimization.tsx';
import { objectiveLabel, proposerText, stateBadges } from './optimizationStates.ts';
import classes from './optimizer.module.css';

const pollMs = 1000;

/** Every optimization, and the start of a new one. */
export function OptimizerPage() {
  const { queries } = useApi();
  const { list: evaluations, chosen, choices, choose } = useFinishedTrials();
  const optimizations = useQuery(
    queries.optimizations.list.queryOptions({
      refetchInterval: (query) =>
        query.state.data?.some(({ state }) => state === 'running') === true ? pollMs : false,
    }),
  );
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Results', to: '/results' }, { label: 'Searches' }]}
        title={headline(optimizations.data ?? [])}
        subtitle="Searches for better tool descriptions on half of the cases or tasks and proves the best one on the other half."
      />
      <Loaded query={evaluations} blocks={[320]}>
        {() =>
          chosen === null ? (
            <EmptyState
              icon={<IconWand stroke={1.5} />}
              message="An optimization starts from a finished evaluation. Run one first. The built-in selector is free and takes seconds."
              action={
                <Button component={Link} to="/results/new">
                  Run evaluation
                </Button>
              }
            />
          ) : (
            <NewOptimization
              key={chosen.id}
              evaluation={chosen}
              choices={choices}
              onChoose={choose}
            />
          )
        }
      </Loaded>
      <Loaded query={optimizations} blocks={[160]}>
        {(all) => (all.length === 0 ? <About /> : <List optimizations={all} />)}
      </Loaded>
    </>
  );
}

function headline(all: readonly OptimizationSummary[]): string {
  const proven = all.filter(({ state }) => state === 'accepted').length;
  return all.length === 0
    ? 'Optimizer'
    : `${formatCount(proven)} of ${counted(all.length, 'optimization')} proven`;
}

/** What an optimization does, while there is none to look at. */
function About() {
  return (
    <Box mt="xl">
      <Section title="What an optimization does">
        <ol className={classes.about}>
          <li>
            <b>Search.</b> It edits the descriptions of tools that cause failures, tries each edit
            on a few cases, and runs only those that help on the whole search half.
          </li>
          <li>
            <b>Proof.</b> The best set of edits runs once on the held-out half, which the search
            never sees. Only that result counts.
          </li>
          <li>
            <b>Patch.</b> You get a diff per tool and a file to apply. No definition on a server
            changes. Test cases execute no tool; tasks execute what you agree to.
          </li>
        </ol>
        <p className={classes.quiet}>
          With the built-in selector and rules, it usually takes less than a minute and costs
          nothing. With a paid model, set a budget. You can pause and resume at any time.
        </p>
      </Section>
    </Box>
  );
}

function List({ optimizations }: { optimizations: readonly OptimizationSummary[] }) {
  return (
    <Section title="Optimizations">
      <div className={classes.scroll}>
        <Table aria-label="Optimizations" horizontalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              {['Suite', 'State', 'Model', 'Goal', 'Proposer'].map((title) => (
                <Table.Th key={title}>{title}</Table.Th>
              ))}
              <Table.Th ta="right">Held-out rate</Table.Th>
              <Table.Th ta="right">Tokens</Table.Th>
              <Table.Th>Started</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {optimizations.map((one) => (
              <Row key={one.id} optimization={one} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  );
}

function Row({ optimization }: { optimization: OptimizationSummary }) {
  const { id, suiteName, state, modelName, settings, result, createdAt } = optimization;
  return (
    <Table.Tr>
      <Table.Td>
        <Link to={`/results/searches/${id}`}>
          <Foreign text={suiteName} />
        </Link>
        {settings.tasks !== null && ' (tasks)'}
      </Table.Td>
      <Table.Td>
        <StatusBadge {...stateBadges[state]} />
      </Table.Td>
      <Table.Td>
        <Foreign text={modelName} />
      </Table.Td>
      <Table.Td>{objectiveLabel(settings.objective, unitOf(settings))}</Table.Td>
      <Table.Td>
        <Foreign text={proposerText(settings)} />
      </Table.Td>
      <Table.Td ta="right" className="ts-number">
        {result === null || result.cases === 0
          ? '–'
          : `${formatPercent(result.passedBefore / result.cases)} → ${formatPercent(result.passedAfter / result.cases)}`}
      </Table.Td>
      <Table.Td ta="right" className="ts-number">
        {result === null
          ? '–'
          : `${formatCount(result.tokensBefore)} → ${formatCount(result.tokensAfter)}`}
      </Table.Td>
      <Table.Td>
        <Time iso={createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}
