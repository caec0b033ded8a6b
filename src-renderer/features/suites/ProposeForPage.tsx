import { Group } from '@mantine/core';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { Action } from '../../ui/fields/controls.tsx';
import { addCasesAddress } from '../../../src-shared/display/toolAddresses.ts';
import { splitToolId } from '../../../src-shared/domain/labels.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi, useRead } from '../../api/index.ts';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { EmptyState, Loaded, showDone, useAct } from '../../ui/notices/notices.tsx';
import { BackToTool } from './NextStep.tsx';

/**
 * Cases for a tool, or proposals for the tools of a server, that name no suite: in the suite that has
 * the server alone, else in one that has it among others, else in a new suite of its name.
 */
export function ProposeForPage() {
  const [params] = useSearchParams();
  const suites = useRead((ask) => ask.suites.list);
  const tool = params.get('tool');
  const server = tool === null ? params.get('server') : splitToolId(tool).server;
  const title = tool === null ? 'Propose cases' : 'Add cases';
  const nextOf = (suiteId: string): string =>
    tool === null
      ? `/suites/${suiteId}/propose?${params.toString()}`
      : addCasesAddress(tool, suiteId, params.get('return'));
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Suites', to: '/suites' }, { label: title }]}
        title={title}
        actions={<BackToTool />}
      />
      <Loaded query={suites} blocks={[120]}>
        {(list) => {
          if (server === null) return <Navigate replace to="/suites" />;
          const found = suiteOf(server, list);
          if (found !== null) return <Navigate replace to={nextOf(found.id)} />;
          return <NewSuite server={server} suites={list} nextOf={nextOf} />;
        }}
      </Loaded>
    </>
  );
}

function NewSuite(props: {
  server: string;
  suites: readonly Suite[];
  nextOf: (suiteId: string) => string;
}) {
  const { server, suites, nextOf } = props;
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const name = freeName(server, new Set(suites.map((suite) => suite.name)));
  const create = useAct(() => client.suites.create({ name, servers: [server] }), {
    onSuccess: async (created) => {
      await reread(queries.suites);
      showDone(`Created suite “${created.name}”.`);
      await navigate(nextOf(created.id), { replace: true });
    },
  });
  return (
    <EmptyState
      message={`No suite has cases for ${server} yet.`}
      action={
        <Group gap="sm">
          <Action label={`Create suite ${name}`} filled run={create} />
          <Action label="Choose a suite" to="/suites" />
        </Group>
      }
    />
  );
}

function suiteOf(server: string, suites: readonly Suite[]): Suite | null {
  const own = suites.filter(({ servers }) => servers.includes(server));
  return own.find(({ servers }) => servers.length === 1) ?? own[0] ?? null;
}

/** The name, with a number if another suite has it. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
  return free;
}
