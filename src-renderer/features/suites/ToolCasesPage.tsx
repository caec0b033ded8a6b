import { NumberInput, Stack, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Action, typed, wholeNumber } from '../../ui/fields/controls.tsx';
import type { ManagedTool } from '../../../src-shared/domain/workshop.ts';
import { useApi, useRead } from '../../api/index.ts';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { EmptyState, Loaded } from '../../ui/notices/notices.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { ProposalGrid } from './ProposalGrid.tsx';
import { ProposalNotes } from './ProposalNotes.tsx';
import { ProposalOptions } from './ProposalOptions.tsx';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { ProposalKind } from './proposalKinds.ts';
import { useReview, type AcceptedCase } from './useReview.ts';

const maxExecutions = 50;

/** Proposes cases for one workshop tool, then makes a suite of the accepted ones to evaluate. */
export function ToolCasesPage() {
  const { id = '' } = useParams();
  const tool = useRead((ask) => ask.workshop.get, { input: { id } });
  const name = tool.data?.content.name ?? 'Tool';
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Workshop', to: '/workshop' },
          { label: name, to: `/workshop/${id}` },
          { label: 'Evaluate' },
        ]}
        title={<span className="ts-foreign">Evaluate {name}</span>}
        subtitle="Review requests that should or shouldn’t call the tool. They become a suite."
      />
      <Loaded query={tool} blocks={[200]}>
        {(found) =>
          found.status === 'ACTIVE' ? (
            <ToolCases tool={found} />
          ) : (
            <EmptyState
              message="Models get active tools only. Activate the tool on its page, then evaluate it."
              action={<Action label="Open tool" filled to={`/workshop/${id}`} />}
            />
          )
        }
      </Loaded>
    </>
  );
}

function ToolCases({ tool }: { tool: ManagedTool }) {
  const [executions, setExecutions] = useState(10);
  const [suiteName, setSuiteName] = useState(tool.content.name);
  const review = useToolSuite(tool, suiteName);
  const { propose } = review;
  return (
    <Stack gap="lg">
      <Stack gap="md" maw={860}>
        <NumberInput
          w={260}
          label="Cases from executions"
          description="Arguments of successful runs become what is expected."
          {...wholeNumber(executions, [0, maxExecutions], setExecutions)}
        />
        <ProposalOptions
          needsKind={executions === 0}
          again={propose.isSuccess}
          pending={propose.isPending}
          onPropose={(options) => propose.mutate({ executions, ...options })}
        />
      </Stack>
      <ProposalNotes review={review} />
      {propose.data !== undefined &&
        (propose.data.cases.length === 0 ? (
          <EmptyState message="No cases to propose. Choose a kind of case, or run the tool first." />
        ) : (
          <>
            <TextInput
              w={360}
              label="Name of the new suite"
              {...typed(suiteName, setSuiteName)}
              maxLength={200}
            />
            <ProposalGrid
              review={review}
              acceptLabel={(count) =>
                count === 0 ? 'Create suite' : `Create suite with ${counted(count, 'case')}`
              }
            />
            <p className="ts-quiet">
              Nothing is saved yet. Creating the suite also registers the workshop as the server “
              {propose.data.server}”, if it isn’t, and opens a new evaluation of the suite.
            </p>
          </>
        ))}
    </Stack>
  );
}

interface ToolRequest {
  kinds: ProposalKind[];
  executions: number;
  model: ModelConfiguration | null;
}

/** Proposals for the tool, which become a suite of their own. */
function useToolSuite({ id }: ManagedTool, name: string) {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  // What an attempt that failed half-way has created already.
  const created = useRef<string | null>(null);
  const createSuite = async (
    cases: AcceptedCase[],
    { madeBy, server: planned }: { madeBy: string; server: string },
  ): Promise<string> => {
    const { name: server } = await client.workshop.register();
    created.current ??= (await client.suites.create({ name: name.trim(), servers: [server] })).id;
    const renamed = cases.map((each) => ({
      ...each,
      content: {
        ...each.content,
        expectedCalls: each.content.expectedCalls.map((call) =>
          'server' in call && call.server === planned ? { ...call, server } : call,
        ),
      },
    }));
    await client.suites.acceptProposals({ suiteId: created.current, madeBy, cases: renamed });
    return created.current;
  };
  return useReview(
    (request: ToolRequest) => client.workshop.proposeCases({ id, ...request }),
    createSuite,
    async (suiteId) => {
      await reread(queries.suites, queries.servers);
      await navigate(`/results/new?suite=${encodeURIComponent(suiteId)}`);
    },
  );
}
