import { Button, Select } from '@mantine/core';
import { Link } from 'react-router';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { optimizerLink } from '../optimizer/optimizerLink.ts';
import { CaseFixes, TaskFixes } from './ToolFixes.tsx';
import { useFinishedTrials } from '../../results/useFinishedTrials.ts';

/** The tools whose definitions cause the most failures, with a way to change each. */
export function FixesPage() {
  const { list, chosen, choices, choose } = useFinishedTrials();
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Improve' }]}
        title="Fixes"
        subtitle="Each tool with all failures that point to it. Change its definition and see which cases or tasks that fixes."
        actions={
          chosen !== null && (
            <Button component={Link} variant="default" to={optimizerLink(chosen.id)}>
              Search for better descriptions
            </Button>
          )
        }
      />
      <Loaded query={list} blocks={[60, 360]}>
        {() =>
          chosen === null ? (
            <EmptyState
              message="The tools to fix appear here after the first evaluation."
              action={
                <Button component={Link} to="/results/new">
                  Run evaluation
                </Button>
              }
            />
          ) : (
            <>
              <Select
                label="Evaluation"
                w={420}
                mb="md"
                searchable
                allowDeselect={false}
                data={choices}
                value={chosen.id}
                onChange={choose}
              />
              {chosen.unit === 'task' ? (
                <TaskFixes key={chosen.id} evaluationId={chosen.id} />
              ) : (
                <CaseFixes key={chosen.id} evaluationId={chosen.id} />
              )}
            </>
          )
        }
      </Loaded>
    </>
  );
}
