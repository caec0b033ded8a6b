import { Button, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useApi } from '../../../api/index.ts';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { useFinishedTrials } from '../useFinishedTrials.ts';
import { EvaluationTable } from '../list/EvaluationTable.tsx';
import classes from '../evaluations.module.css';

/** Chooses the evaluation to repeat with changed tools, and lists what was tried before. */
export function WhatIfStartPage() {
  const { queries } = useApi();
  const { list, chosen, choices, finished } = useFinishedTrials();
  const [picked, setPicked] = useState<string | null>(null);
  const all = useQuery(queries.evaluations.list.queryOptions({ input: { limit: 500 } }));
  const tried = (all.data ?? []).filter(({ origin }) => origin?.kind === 'what_if');
  const base = finished.find(({ id }) => id === picked) ?? chosen;
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Results', to: '/results' }, { label: 'Estimates' }]}
        title="What-if"
        subtitle="Try other tools on the cases or tasks of an evaluation before you change a server."
      />
      <Loaded query={list} blocks={[60]}>
        {() =>
          base === null ? (
            <EmptyState
              message="A what-if run repeats an evaluation with other tools. Run an evaluation first."
              action={
                <Button component={Link} to="/results/new">
                  Run evaluation
                </Button>
              }
            />
          ) : (
            <>
              <Questions />
              <Group align="flex-end">
                <Select
                  label="Evaluation"
                  w={420}
                  searchable
                  allowDeselect={false}
                  data={choices}
                  value={base.id}
                  onChange={setPicked}
                />
                <Button component={Link} to={`/results/${base.id}/estimate`}>
                  Change its tools
                </Button>
              </Group>
            </>
          )
        }
      </Loaded>
      {tried.length > 0 && (
        <Section title="Earlier what-if runs">
          <EvaluationTable evaluations={tried} />
        </Section>
      )}
    </>
  );
}

/** What a what-if run can answer. */
function Questions() {
  return (
    <div className={classes.questions}>
      <p>A what-if run answers questions such as:</p>
      <ul>
        <li>Do models stop confusing two tools when one of them is left out?</li>
        <li>Which cases pass when a tool gets another name or description?</li>
        <li>Which cases break when one more server is connected?</li>
      </ul>
      <p>
        It runs the same cases or tasks with the same model and lists each one that was fixed or
        broken. No definition on a server changes. Cases execute no tool; tasks execute what you
        agree to.
      </p>
    </div>
  );
}
