import { useParams } from 'react-router';
import { useRead } from '../../api/index.ts';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { Loaded } from '../../ui/notices/notices.tsx';
import { BackToTool } from './NextStep.tsx';
import { ProposeCases } from './ProposeCases.tsx';

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
