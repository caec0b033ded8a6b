import { Term } from '../../ui/text/Term.tsx';
import { Select } from '@mantine/core';
import { encodingNames } from '../../../src-shared/domain/tokens.ts';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { FrontierTab } from './FrontierTab.tsx';
import { useTokenSource } from './useTokenSource.ts';
import classes from './tokens.module.css';

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
      <div className={classes.form}>
        <Select
          label={<Term name="encoding" />}
          aria-label="Encoding"
          w={160}
          allowDeselect={false}
          data={[...encodingNames]}
          value={source.encoding}
          onChange={(value) => {
            source.change('encoding', value);
          }}
        />
      </div>
      <FrontierTab source={source} />
    </>
  );
}
