import { Term } from '../../ui/text/Term.tsx';
import { Button, Select, Tabs, MultiSelect } from '@mantine/core';
import { Link } from 'react-router';
import { encodingNames } from '../../../src-shared/domain/tokens.ts';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { CountTab } from './CountTab.tsx';
import { FindToolTab } from './FindToolTab.tsx';
import { useTokenSource, type TokenSource } from './useTokenSource.ts';
import classes from './tokens.module.css';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { useApi } from '../../api/index.ts';
import { counted } from '../../ui/text/words.ts';

/** What the tools cost in tokens, and how many a model needs to see. */
export function TokensPage() {
  const source = useTokenSource();
  const tab = source.params.get('tab') ?? 'count';
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Tools', to: '/tools' }, { label: 'Tokens' }]}
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

/** The servers whose tools are counted, each with its total; none chosen means all. */
function ServerChoice({ source }: { source: TokenSource }) {
  const { queries } = useApi();
  const all = useQuery(
    queries.tokens.count.queryOptions({
      input: { source: { servers: null }, encoding: source.encoding, model: source.model },
    }),
  );
  const totals = new Map(all.data?.servers.map((each) => [each.server, each]));
  const chosen = source.servers.flatMap((name) => totals.get(name) ?? []);
  const sum = (of: (each: (typeof chosen)[number]) => number): number =>
    chosen.reduce((total, each) => total + of(each), 0);
  return (
    <MultiSelect
      label="Servers"
      w={340}
      searchable
      clearable
      placeholder={source.servers.length === 0 ? 'All servers' : ''}
      inputWrapperOrder={['label', 'input', 'description']}
      description={
        source.servers.length === 0
          ? null
          : `${formatCount(source.servers.length)} of ${counted(source.serverNames.length, 'server')}: ` +
            `${counted(
              sum(({ tools }) => tools),
              'tool',
            )}, ` +
            counted(
              sum(({ tokenCount }) => tokenCount),
              'token',
            )
      }
      data={source.serverNames}
      renderOption={({ option }) => {
        const total = totals.get(option.value);
        return total === undefined
          ? option.label
          : `${option.label} · ${counted(total.tools, 'tool')} · ${counted(total.tokenCount, 'token')}`;
      }}
      value={source.servers}
      onChange={source.chooseServers}
    />
  );
}
