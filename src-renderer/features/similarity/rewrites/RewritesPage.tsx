import { Button, Group, Select, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import type { RewritePlan } from '../../../../src-shared/domain/rewrite.ts';
import { useApi } from '../../../api/index.ts';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../similarity.module.css';
import { ModelProposal } from './ModelProposal.tsx';
import { RewriteList } from './RewriteList.tsx';

/**
 * New descriptions of a tool, tried on the cases of an evaluation and accepted only if a paired
 * re-run proves them.
 */
export function RewritesPage() {
  const { queries } = useApi();
  const [params, setParams] = useSearchParams();
  const evaluations = useQuery(queries.evaluations.list.queryOptions({ input: {} }));
  const ended =
    evaluations.data?.filter(
      ({ state, settings }) => hasEnded(state) && settings.whatIf === null,
    ) ?? [];
  const chosen = ended.find(({ id }) => id === params.get('evaluation')) ?? ended[0] ?? null;
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Improve', to: '/improve' }, { label: 'Proofs' }]}
        title="Proofs"
        subtitle="Try descriptions on half of the cases, then verify once on the other half. Servers don’t change."
      />
      <Loaded query={evaluations} blocks={[90]}>
        {() =>
          chosen === null ? (
            <EmptyState message="Run an evaluation first." />
          ) : (
            <>
              <Group mb="md">
                <Select
                  label="Cases and tools of"
                  w={420}
                  allowDeselect={false}
                  data={ended.map((one) => ({
                    value: one.id,
                    label:
                      `#${one.number} ${one.suiteName} · ` + one.models.map(modelLabel).join(', '),
                  }))}
                  value={chosen.id}
                  onChange={(id) => {
                    setParams((old) => ({ ...Object.fromEntries(old), evaluation: id ?? '' }));
                  }}
                />
              </Group>
              <Trial key={chosen.id} evaluation={chosen} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Trial({ evaluation }: { evaluation: Evaluation }) {
  const { queries } = useApi();
  const [params] = useSearchParams();
  const [tool, setTool] = useState(params.get('tool'));
  const [modelSettingsId, setModel] = useState(evaluation.models[0]?.id ?? null);
  const snapshot = useQuery(
    queries.evaluations.snapshot.queryOptions({ input: { id: evaluation.id } }),
  );
  const ids = snapshot.data?.tools.map(({ server, name }) => toolId(server, name)) ?? [];
  const known = tool !== null && ids.includes(tool) ? tool : null;
  const plan = useQuery(
    queries.rewrites.plan.queryOptions({
      input: { evaluationId: evaluation.id, modelSettingsId, toolId: known ?? '' },
      enabled: known !== null,
    }),
  );
  return (
    <>
      <Group align="end" mb="md">
        <Select
          label="Tool"
          w={300}
          searchable
          data={ids}
          value={known}
          onChange={setTool}
          placeholder="Choose the tool to rewrite"
        />
        {evaluation.models.length > 1 && (
          <Select
            label="Model"
            w={240}
            allowDeselect={false}
            data={evaluation.models.map((model) => ({ value: model.id, label: modelLabel(model) }))}
            value={modelSettingsId}
            onChange={setModel}
          />
        )}
      </Group>
      {tool !== null && known === null && snapshot.data && (
        <Notice tone="warning">
          {`Evaluation #${evaluation.number} has no tool ${tool}. Choose another evaluation, or ` +
            'one of its tools.'}
        </Notice>
      )}
      {known !== null && (
        <Loaded query={plan} blocks={[120, 120]}>
          {(found) => (
            <Candidate
              key={`${known} ${modelSettingsId ?? ''}`}
              plan={found}
              evaluationId={evaluation.id}
              modelSettingsId={modelSettingsId}
              proposed={params.get('tool') === known ? params.get('description') : null}
              proposedBy={params.get('source') === 'model' ? 'model' : 'rule'}
            />
          )}
        </Loaded>
      )}
      <RewriteList evaluationId={evaluation.id} />
    </>
  );
}

interface CandidateProps {
  plan: RewritePlan;
  evaluationId: string;
  modelSettingsId: string | null;
  /** A description that another screen proposes. */
  proposed: string | null;
  proposedBy: 'rule' | 'model';
}

function Candidate({ plan, evaluationId, modelSettingsId, proposed, proposedBy }: CandidateProps) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [text, setText] = useState(proposed ?? plan.description);
  const [source, setSource] = useState<'hand' | 'rule' | 'model'>(
    proposed === null ? 'hand' : proposedBy,
  );
  const target = { evaluationId, modelSettingsId, toolId: plan.toolId };
  const add = useMutation({
    mutationFn: () => client.rewrites.add({ ...target, description: text, source }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.rewrites.key() }),
  });
  return (
    <Section title="A candidate">
      <Notice tone={plan.moreCases > 0 ? 'warning' : 'neutral'}>
        {plan.moreCases > 0
          ? `Not enough data: a proof needs ${counted(plan.flipsNeeded, 'fixed case')}, and only ` +
            `${plan.canFlip} of the ${plan.proofCases} held-out cases for ${plan.toolId} fail ` +
            `today. Add about ${counted(plan.moreCases, 'case')} that fail.`
          : `${counted(plan.canFlip, 'held-out case')} of ${plan.proofCases} can decide it. The ` +
            `proof needs at least ${plan.flipsNeeded} fixed and none broken ` +
            `(p ≤ ${plan.level.toPrecision(2)}` +
            `${plan.proved > 0 ? `; ${counted(plan.proved, 'candidate')} already proved on this suite` : ''}). ` +
            `${counted(plan.searchCases, 'case')} to search with.`}
      </Notice>
      <p className={classes.quiet}>
        Now:{' '}
        {plan.description === '' ? (
          'no description'
        ) : (
          <Foreign text={plan.description} limit={600} />
        )}
      </p>
      <Textarea
        label="Description to try"
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setSource('hand');
        }}
      />
      <Group mt="sm">
        <Button
          disabled={text === plan.description}
          loading={add.isPending}
          onClick={() => {
            add.mutate();
          }}
        >
          Add candidate
        </Button>
        <ModelProposal
          target={target}
          onProposed={(description) => {
            setText(description);
            setSource('model');
          }}
        />
      </Group>
      {add.error !== null && <ErrorNotice error={add.error} />}
      {add.isSuccess && (
        <Text size="sm" c="dimmed" role="status">
          Added below.
        </Text>
      )}
    </Section>
  );
}
