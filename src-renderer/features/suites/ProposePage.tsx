import { Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { splitToolId } from '../../../src-shared/domain/labels.ts';
import { draftKinds, type ProposedCase } from '../../../src-shared/contract/suites.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi, useStoredToolsLine } from '../../api/index.ts';
import { StoredToolsNotice } from '../../ui/notices/StoredToolsNotice.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { BackToEdit } from './BackToEdit.tsx';
import { ProposalGrid } from './ProposalGrid.tsx';
import { ProposalNotes } from './ProposalNotes.tsx';
import {
  KindChoice,
  missingOption,
  templateWriter,
  WriterChoice,
  writerModel,
} from './ProposalOptions.tsx';
import type { ProposalKind } from './proposalKinds.ts';
import { useToolChoices } from './useToolChoices.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { counted } from '../../ui/text/words.ts';
import { useReview } from './useReview.ts';

/** Proposals for the tools of a suite, which a person reviews before they become cases. */
export function ProposePage() {
  const { id = '' } = useParams();
  const { queries } = useApi();
  const suite = useQuery(queries.suites.get.queryOptions({ input: { id } }));
  const storedLine = useStoredToolsLine(suite.data?.servers ?? []);
  const { propose, accept, open, setQuery, acceptAll, drop } = useProposals(id);
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Suites', to: '/suites' },
          { label: suite.data?.name ?? 'Suite', to: `/suites/${id}` },
          { label: 'Propose cases' },
        ]}
        title="Propose cases"
        actions={<BackToEdit />}
        subtitle="Draft requests for the suite’s tools. Review each one before it becomes a case."
      />
      <Stack gap="lg">
        <Loaded query={suite} blocks={[32]}>
          {(loaded) => (
            <ProposalForm
              suite={loaded}
              pending={propose.isPending}
              again={propose.isSuccess}
              onPropose={(request) => {
                propose.mutate(request);
              }}
            />
          )}
        </Loaded>
        <StoredToolsNotice line={storedLine} />
        {propose.isError && <ErrorNotice error={propose.error} />}
        <ProposalNotes tone="warning" notes={propose.data?.notes ?? []} />
        {accept.isError && <ErrorNotice error={accept.error} />}
        {propose.data !== undefined &&
          (propose.data.cases.length === 0 ? (
            <EmptyState message="No cases proposed. The note above says why." />
          ) : (
            <ProposalGrid
              proposals={open}
              accepting={accept.isPending}
              onQuery={setQuery}
              onAccept={acceptAll}
              onDrop={drop}
            />
          ))}
      </Stack>
    </>
  );
}

interface ProposalFormProps {
  suite: Suite;
  pending: boolean;
  again: boolean;
  onPropose: (request: ProposalRequest) => void;
}

/** What to propose: servers, tools, kinds, and who writes the requests. */
function ProposalForm({ suite, pending, again, onPropose }: ProposalFormProps) {
  const choices = useToolChoices(suite.servers);
  const [params] = useSearchParams();
  const asked = params.get('tool');
  const askedServer = asked === null ? params.get('server') : splitToolId(asked).server;
  const [servers, setServers] = useState<string[] | null>(
    askedServer === null ? null : [askedServer],
  );
  const [tools, setTools] = useState<string[]>(asked === null ? [] : [asked]);
  const [kinds, setKinds] = useState<ProposalKind[]>([...draftKinds]);
  const [writer, setWriter] = useState(templateWriter);
  const chosen = servers ?? (suite.servers.length > 0 ? suite.servers : choices.servers);
  const missing = chosen.length === 0 ? 'Choose a server first.' : missingOption(kinds, writer);
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
      <KindChoice value={kinds} onChange={setKinds} />
      <Group align="flex-end">
        <WriterChoice value={writer} onChange={setWriter} />
        <Button
          variant={again ? 'default' : 'filled'}
          loading={pending}
          disabled={missing !== null}
          onClick={() => {
            onPropose({
              servers: chosen,
              tools,
              kinds,
              model: writerModel(writer),
            });
          }}
        >
          {again ? 'Propose again' : 'Propose cases'}
        </Button>
        {missing !== null && (
          <Text size="sm" c="dimmed" role="status">
            {missing}
          </Text>
        )}
      </Group>
    </Stack>
  );
}

/** What to make proposals of. */
interface ProposalRequest {
  servers: string[];
  /** All tools of the servers if empty. */
  tools: string[];
  kinds: ProposedCase['kind'][];
  /** Null for the built-in templates. */
  model: ModelConfiguration | null;
}

/** Proposals for the tools of a suite, which become its cases. */
function useProposals(suiteId: string) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
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
      await cache.invalidateQueries({ queryKey: queries.suites.key() });
      showDone(`Added ${counted(made.length, 'case')} to the suite.`);
    },
  );
}
