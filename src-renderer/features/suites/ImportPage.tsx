import { useSearchParams } from 'react-router';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { ImportCases } from './ImportCases.tsx';

export function ImportPage() {
  const [params] = useSearchParams();
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Suites', to: '/suites' }, { label: 'Import cases' }]}
        title="Import cases"
        subtitle="Import a suite file, or cases from another tool. You see a preview first, and nothing in the file is run."
      />
      <ImportCases into={params.get('into')} />
    </>
  );
}
