import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { ExecutionTable } from './ExecutionTable.tsx';

/** The execution log of all tools. */
export function ExecutionsPage() {
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Workshop', to: '/workshop' }, { label: 'Executions' }]}
        title="Executions"
        subtitle="Every run of a tool, from here, the command line, and clients."
      />
      <ExecutionTable />
    </>
  );
}
