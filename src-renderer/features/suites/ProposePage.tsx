import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { ProposedCase } from '../../../src-shared/contract/suites.ts';
import { modelConfiguration } from '../../../src-shared/domain/model.ts';
import { providerTable, remoteProviders } from '../../../src-shared/domain/provider.ts';
import { useApi } from '../../api/index.ts';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { Tags } from '../../ui/badges/Tags.tsx';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { counted } from '../../ui/text/words.ts';
import { expectationText } from './caseForm.ts';
import classes from './ImportPage.module.css';

const writers = [
  { value: 'template', label: 'Rules, without a model' },
  ...remoteProviders.map((provider) => ({ value: provider, label: providerTable[provider].label })),
];

/**
 * Proposals from the tool list. A person accepts, edits or discards each one; nothing is written
 * before that.
 */
export function ProposePage() {
  const { id = '' } = useParams();
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const suite = useQuery(queries.suites.get.queryOptions({ input: { id } }));
  const [writer, setWriter] = useState('template');
  const [model, setModel] = useState('');
  const [queriesTyped, setTyped] = useState<Record<number, string>>({});
  const [dropped, setDropped] = useState<ReadonlySet<number>>(new Set());
  const propose = useMutation({
    mutationFn: () =>
      client.suites.proposeCases({
        suiteId: id,
        model:
          writer === 'template'
            ? null
            : modelConfiguration.parse({ provider: writer, model: model.trim() }),
      }),
    onSuccess: () => {
      setTyped({});
      setDropped(new Set());
    },
  });
  const accept = useMutation({
    mutationFn: (given: { indexes: number[]; cases: (ProposedCase & { edited: boolean })[] }) =>
      client.suites.acceptProposals({
        suiteId: id,
        madeBy: propose.data?.madeBy ?? 'template',
        cases: given.cases,
      }),
    onSuccess: async (made, { indexes }) => {
      setDropped((before) => new Set([...before, ...indexes]));
      await cache.invalidateQueries({ queryKey: queries.suites.key() });
      showDone(`Accepted ${counted(made.length, 'case')}.`);
    },
  });
  const all = propose.data?.cases ?? [];
  const open = all.map((_case, index) => index).filter((index) => !dropped.has(index));
  const take = (indexes: number[]): void => {
    const cases = indexes.flatMap((index) => {
      const proposed = all[index];
      if (proposed === undefined) return [];
      const query = queriesTyped[index] ?? proposed.content.query;
      return query.trim() === ''
        ? []
        : [
            {
              ...proposed,
              content: { ...proposed.content, query },
              edited: query !== proposed.content.query,
            },
          ];
    });
    if (cases.length > 0) accept.mutate({ indexes, cases });
  };
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Suites', to: '/suites' },
          { label: suite.data?.name ?? 'Suite', to: `/suites/${id}` },
          { label: 'Propose cases' },
        ]}
        title="Propose cases"
        subtitle="From the tools that the suite’s servers listed last: the right tool, its near neighbour, and no tool. You accept, edit or drop each one."
      />
      <Stack gap="lg" maw={860}>
        <Group align="flex-end">
          <Select
            w={240}
            label="Written by"
            allowDeselect={false}
            data={writers}
            value={writer}
            onChange={(value) => {
              setWriter(value ?? 'template');
            }}
          />
          {writer !== 'template' && (
            <Textarea
              w={240}
              label="Model"
              autosize
              minRows={1}
              maxRows={1}
              value={model}
              onChange={(event) => {
                setModel(event.currentTarget.value.replace(/\n/g, ''));
              }}
            />
          )}
          <Button
            loading={propose.isPending}
            disabled={writer !== 'template' && model.trim() === ''}
            onClick={() => {
              propose.mutate();
            }}
          >
            Make proposals
          </Button>
        </Group>
        {propose.isError && (
          <ErrorNotice
            error={propose.error}
            onRetry={() => {
              propose.mutate();
            }}
          />
        )}
        <Loaded query={suite} blocks={[32]}>
          {() => null}
        </Loaded>
        {propose.data !== undefined && propose.data.notes.length > 0 && (
          <Notice tone="warning">
            {propose.data.notes.slice(0, 20).map((note, index) => (
              <Text key={index} size="sm">
                <PlainText text={note} />
              </Text>
            ))}
          </Notice>
        )}
        {propose.data !== undefined && (
          <>
            <Group justify="space-between">
              <Text size="sm" c="dimmed" aria-live="polite">
                {counted(open.length, 'proposal')} left of {all.length.toLocaleString('en')}
              </Text>
              <Group gap="sm">
                <Button
                  size="compact-sm"
                  disabled={open.length === 0}
                  loading={accept.isPending}
                  onClick={() => {
                    take(open);
                  }}
                >
                  Accept all that are left
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => void navigate(`/suites/${id}`)}
                >
                  Back to the suite
                </Button>
              </Group>
            </Group>
            {accept.isError && <ErrorNotice error={accept.error} />}
            {open.length === 0 && (
              <EmptyState
                message={
                  all.length === 0
                    ? 'There is no tool that a case could be made from.'
                    : 'Every proposal is decided.'
                }
              />
            )}
            {open.slice(0, 100).map((index) => {
              const proposed = all[index];
              if (proposed === undefined) return null;
              return (
                <article
                  key={index}
                  className={`ts-panel ${classes.report ?? ''}`}
                  aria-label={`Proposal ${index + 1}`}
                >
                  <Stack gap="sm">
                    <Group gap="sm" justify="space-between">
                      <Text fw={600} className="ts-foreign">
                        <PlainText text={proposed.content.name} />
                      </Text>
                      <Tags values={[proposed.kind]} />
                    </Group>
                    <Textarea
                      label="Query"
                      autosize
                      minRows={1}
                      maxRows={6}
                      value={queriesTyped[index] ?? proposed.content.query}
                      onChange={(event) => {
                        const query = event.currentTarget.value;
                        setTyped((before) => ({ ...before, [index]: query }));
                      }}
                    />
                    <Text size="sm" className="ts-foreign">
                      Expects{' '}
                      <span className="ts-mono">
                        <PlainText text={expectationText(proposed.content)} />
                      </span>
                      {proposed.content.expectedCalls[0]?.parameters !== undefined && (
                        <>
                          {' '}
                          with{' '}
                          <span className="ts-mono">
                            <PlainText
                              text={JSON.stringify(proposed.content.expectedCalls[0].parameters)}
                            />
                          </span>
                        </>
                      )}
                    </Text>
                    <Text size="xs" c="dimmed" className="ts-foreign">
                      <PlainText text={`Made from ${proposed.basis}.`} />
                    </Text>
                    <Group gap="sm">
                      <Button
                        size="compact-sm"
                        onClick={() => {
                          take([index]);
                        }}
                      >
                        Accept
                      </Button>
                      <Button
                        size="compact-sm"
                        variant="default"
                        onClick={() => {
                          setDropped((before) => new Set([...before, index]));
                        }}
                      >
                        Drop
                      </Button>
                    </Group>
                  </Stack>
                </article>
              );
            })}
            {open.length > 100 && (
              <Text size="sm" c="dimmed">
                The others come up as these are decided.
              </Text>
            )}
          </>
        )}
      </Stack>
    </>
  );
}
