import { Group, MultiSelect, Stack } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { draftKinds, type ProposedCase } from '../../../src-shared/contract/suites.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi, useRead, useStoredToolsLine } from '../../api/index.ts';
import { StoredToolsNotice } from '../../ui/notices/StoredToolsNotice.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { EmptyState, Loaded } from '../../ui/notices/notices.tsx';
import { BackToTool, NextStep } from './NextStep.tsx';
import { ProposalGrid } from './ProposalGrid.tsx';
import { ProposalNotes } from './ProposalNotes.tsx';
import { ProposalOptions } from './ProposalOptions.tsx';
import { useToolChoices } from './useToolChoices.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { useReview } from './useReview.ts';

interface ProposeCasesProps {
  suite: Suite;
  /** True if another button of the page is the filled one. */
  quiet?: boolean;
}

/** Proposals for the tools of a suite, which a person reviews before they become cases. */
export function ProposeCases({ suite, quiet = false }: ProposeCasesProps) {
  const [params] = useSearchParams();
  const storedLine = useStoredToolsLine(suite.servers);
  const [added, setAdded] = useState(0);
  const review = useProposals(suite.id, (count) => setAdded((before) => before + count));
  const { propose, open } = review;
  // A link that names a server has asked already, and rows without requests cost nothing.
  const proposeAsked = useEffectEvent(() => {
    const server = params.get('server');
    if (server !== null && propose.isIdle)
      propose.mutate({ servers: [server], tools: [], kinds: [...draftKinds], model: null });
  });
  useEffect(() => {
    proposeAsked();
  }, []);
  return (
    <Stack gap="lg">
      <ProposalForm
        suite={suite}
        pending={propose.isPending}
        again={propose.isSuccess}
        quiet={quiet}
        onPropose={(request) => propose.mutate(request)}
      />
      <StoredToolsNotice line={storedLine} />
      <ProposalNotes tone="warning" review={review} />
      {added > 0 && <NextStep suiteId={suite.id} added={added} back={params.get('return')} />}
      {propose.data !== undefined &&
        (propose.data.cases.length === 0 ? (
          <EmptyState message="No cases proposed. The note above says why." />
        ) : (
          open.length > 0 && <ProposalGrid review={review} />
        ))}
    </Stack>
  );
}

interface ProposalFormProps {
  suite: Suite;
  pending: boolean;
  again: boolean;
  quiet: boolean;
  onPropose: (request: ProposalRequest) => void;
}

/** What to propose: servers, tools, kinds, and who writes the requests. */
function ProposalForm({ suite, pending, again, quiet, onPropose }: ProposalFormProps) {
  const choices = useToolChoices(suite.servers);
  const [params] = useSearchParams();
  const askedServer = params.get('server');
  const [servers, setServers] = useState<string[] | null>(
    askedServer === null ? null : [askedServer],
  );
  const [tools, setTools] = useState<string[]>([]);
  const chosen = servers ?? (suite.servers.length > 0 ? suite.servers : choices.servers);
  return (
    <Stack gap="md" maw={860}>
      <Group grow align="flex-start">
        <MultiSelect
          label="Servers"
          data={[...new Set([...choices.servers, ...suite.servers])]}
          value={chosen}
          onChange={(next) => {
            setServers(next);
            setTools((before) =>
              before.filter((tool) => next.some((name) => tool.startsWith(`${name}:`))),
            );
          }}
        />
        <MultiSelect
          label="Tools"
          placeholder={tools.length === 0 ? 'All tools' : ''}
          searchable
          data={choices.groups.filter(({ group }) => chosen.includes(group))}
          value={tools}
          onChange={setTools}
        />
      </Group>
      <ProposalOptions
        missing={chosen.length === 0 ? 'Choose a server first.' : null}
        again={again}
        quiet={again || quiet}
        pending={pending}
        onPropose={(options) => onPropose({ servers: chosen, tools, ...options })}
      />
    </Stack>
  );
}

interface ProposalRequest {
  servers: string[];
  /** All tools of the servers if empty. */
  tools: string[];
  kinds: ProposedCase['kind'][];
  /** Null where the person writes the requests. */
  model: ModelConfiguration | null;
}

/** Proposals for the tools of a suite, which become its cases. */
function useProposals(suiteId: string, onAdded: (count: number) => void) {
  const { client, queries, reread } = useApi();
  return useReview(
    ({ servers, tools, kinds, model }: ProposalRequest) =>
      client.suites.proposeCases({
        suiteId,
        servers,
        ...(tools.length > 0 ? { tools } : {}),
        kinds,
        model,
      }),
    (cases, { madeBy }) => client.suites.acceptProposals({ suiteId, madeBy, cases }),
    async (made) => {
      await reread(queries.suites);
      onAdded(made.length);
    },
  );
}

export function ProposePage() {
  const { id = '' } = useParams();
  const suite = useRead((ask) => ask.suites.get, { input: { id } });
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Suites', to: '/suites' },
          { label: suite.data?.name ?? 'Suite', to: `/suites/${id}` },
          { label: 'Propose cases' },
        ]}
        title="Propose cases"
        actions={<BackToTool />}
        subtitle="Draft requests for the suite’s tools. Review each one before it becomes a case."
      />
      <Loaded query={suite} blocks={[32]}>
        {(loaded) => <ProposeCases suite={loaded} />}
      </Loaded>
    </>
  );
}
