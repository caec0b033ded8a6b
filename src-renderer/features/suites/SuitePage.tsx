import { useParams } from 'react-router';
import { useRead } from '../../api/index.ts';
import { LoadedPage } from '../../ui/frame/PageHeader.tsx';
import type { TrendOfSuite } from './SuiteTop.tsx';
import { SuiteView } from './SuiteView.tsx';

export function SuitePage({ Trend }: { Trend: TrendOfSuite }) {
  const { id = '' } = useParams();
  const suite = useRead((ask) => ask.suites.get, { input: { id } });
  return (
    <LoadedPage
      crumbs={[{ label: 'Suites', to: '/suites' }, { label: 'Suite' }]}
      query={suite}
      blocks={[64, 32, 400]}
    >
      {(found) => <SuiteView key={found.id} suite={found} Trend={Trend} />}
    </LoadedPage>
  );
}
