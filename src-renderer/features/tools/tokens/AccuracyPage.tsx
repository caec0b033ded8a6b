import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { FrontierTab } from './FrontierTab.tsx';
import { useTokenSource } from './useTokenSource.ts';

/** How many tools a model needs to see before it becomes less accurate. */
export function AccuracyPage() {
  const source = useTokenSource();
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Labs', to: '/labs/retrieval' }, { label: 'Accuracy vs. tokens' }]}
        title="Accuracy vs. tokens"
        subtitle="How much you save by showing a model fewer tools, and when that starts to cost accuracy."
      />
      <FrontierTab source={source} />
    </>
  );
}
