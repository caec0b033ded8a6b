import { Button, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useApi } from '../../../api/index.ts';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { useFinishedEvaluation } from '../improve/useFinishedEvaluation.ts';
import { EvaluationTable } from '../list/EvaluationTable.tsx';

/** Chooses the evaluation to repeat with changed tools, and lists what was tried before. */
export function WhatIfStartPage() {
  const { queries } = useApi();
  const { list, chosen, choices } = useFinishedEvaluation();
  const [picked, setPicked] = useState<string | null>(null);
  const all = useQuery(queries.evaluations.list.queryOptions({ input: { limit: 500 } }));
  const tried = (all.data ?? []).filter(({ origin }) => origin?.kind === 'what_if');
  const base = picked ?? chosen?.id ?? null;
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Improve', to: '/improve' }, { label: 'What-if' }]}
        title="What-if"
        subtitle="See which cases change if the tools change. Servers stay as they are, and no tool is executed."
      />
      <Loaded query={list} blocks={[60]}>
        {() =>
          base === null ? (
            <EmptyState
              message="A what-if repeats an evaluation. Run one first."
              action={
                <Button component={Link} to="/evaluations/new">
                  Run evaluation
                </Button>
              }
            />
          ) : (
            <Group align="flex-end">
              <Select
                label="Evaluation"
                w={420}
                searchable
                allowDeselect={false}
                data={choices}
                value={base}
                onChange={setPicked}
              />
              <Button component={Link} to={`/improve/what-if/${base}`}>
                Change its tools
              </Button>
            </Group>
          )
        }
      </Loaded>
      {tried.length > 0 && (
        <Section title="What-if runs">
          <EvaluationTable evaluations={tried} />
        </Section>
      )}
    </>
  );
}
