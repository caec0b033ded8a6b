import { Term } from '../../ui/text/Term.tsx';
import { Button, Select, Tabs } from '@mantine/core';
import { Link } from 'react-router';
import { encodingNames } from '../../../src-shared/domain/tokens.ts';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { CountTab } from './CountTab.tsx';
import { FindToolTab } from './FindToolTab.tsx';
import { ServerChoice } from './ServerChoice.tsx';
import { useTokenSource } from './useTokenSource.ts';
import classes from './tokens.module.css';

/** What the tools cost in tokens, and how many a model needs to see. */
export function TokensPage() {
  const source = useTokenSource();
  const tab = source.params.get('tab') ?? 'count';
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Tools', to: '/tools/quality' }, { label: 'Tokens' }]}
        title="Tokens"
        subtitle="What tool definitions cost in every request, and what showing fewer tools saves."
        actions={
          tab === 'count' && (
            <Button component={Link} to="/labs/accuracy-vs-tokens" variant="default">
              Measure accuracy with fewer tools
            </Button>
          )
        }
      />
      <div className={`${classes.form ?? ''} ${classes.source ?? ''}`}>
        <Select
          label="Tools of"
          w={220}
          searchable
          allowDeselect={false}
          data={source.groups}
          value={source.chosen}
          onChange={(value) => {
            source.change('of', value);
          }}
        />
        {source.ofServers && source.serverNames.length > 1 && <ServerChoice source={source} />}
        {tab === 'count' ? (
          <Select
            label="Count tokens for"
            w={240}
            searchable
            allowDeselect={false}
            data={source.formats}
            value={source.format}
            onChange={source.changeFormat}
          />
        ) : (
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
        )}
      </div>
      <Tabs
        value={tab}
        onChange={(value) => {
          source.change('tab', value === 'count' ? null : value);
        }}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="count">Count</Tabs.Tab>
          <Tabs.Tab value="find">Find a tool</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="count" pt="md">
          <CountTab source={source} />
        </Tabs.Panel>
        <Tabs.Panel value="find" pt="md">
          <FindToolTab source={source} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
