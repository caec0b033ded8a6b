import { NumberInput, Select, TextInput } from '@mantine/core';
import { Action, choosing, submitting, typed, wholeNumber } from '../../../ui/fields/controls.tsx';
import {
  bodySentence,
  budgetSentence,
  costSentence,
  tokenHeadline,
} from '../../../../src-shared/display/tokenTexts.ts';
import type { TokenReport, FoundTools } from '../../../../src-shared/domain/tokenReport.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { ShownExport } from '../../../saving/ExportMenu.tsx';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { PageTabs } from '../../../ui/frame/PageTabs.tsx';
import { PlainText } from '../../../ui/text/Foreign.tsx';
import { CountTab } from './CountTab.tsx';
import { EncodingField } from './EncodingField.tsx';
import { useTokenSource, type TokenSource } from './useTokenSource.ts';
import classes from './tokens.module.css';
import { useMutation } from '@tanstack/react-query';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import {
  codeColumn,
  type Column,
  DataTable,
  numberColumn,
  textColumn,
} from '../../../ui/table/DataTable.tsx';
import { EmptyState, ErrorNotice, Notice } from '../../../ui/notices/notices.tsx';
import { Tile } from '../../../ui/estimate/EstimateTile.tsx';
import { formatCount, formatDecimal, formatShare } from '../../../../src-shared/display/numbers.ts';

/** What the tools cost in tokens, and how many a model needs to see. */
export function TokensPage() {
  const source = useTokenSource();
  const count = useRead((ask) => ask.tokens.count, {
    input: { source: source.source, encoding: source.encoding, model: source.model },
  });
  const report = count.data !== undefined && count.data.tools.length > 0 ? count.data : null;
  const tab = source.params.get('tab') ?? 'count';
  const { budget } = source;
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Tools', to: '/tools' }, { label: 'Tokens' }]}
        title={report === null ? 'Tokens' : tokenHeadline(report)}
        subtitle={
          report === null
            ? 'What tool definitions cost in every request, and what showing fewer tools saves.'
            : costWords(report)
        }
        actions={
          tab === 'count' && (
            <>
              <Action label="Measure accuracy with fewer tools" to="/labs/accuracy-vs-tokens" />
              {report !== null && (
                <ShownExport
                  subject="tokens"
                  name=""
                  without={budget === null ? ['junit'] : []}
                  shown={{ subject: 'tokens', count: report, budget }}
                />
              )}
            </>
          )
        }
      />
      <div className={classes.form}>
        <Select
          label="Tools of"
          w={220}
          searchable
          data={source.groups}
          value={source.chosen}
          onChange={(value) => source.change('of', value)}
        />
        {tab === 'count' ? (
          <>
            <Select
              label="Count tokens for"
              w={240}
              searchable
              data={source.formats}
              value={source.format}
              onChange={source.changeFormat}
            />
            <NumberInput
              label="Budget in tokens"
              placeholder="No budget"
              w={160}
              min={0}
              allowDecimal={false}
              thousandSeparator=","
              value={budget ?? ''}
              onChange={(value) => source.change('budget', value === '' ? null : String(value))}
            />
            {budget !== null && report !== null && (
              <span className={classes.beside}>
                <StatusBadge
                  tone={report.total <= budget ? 'good' : 'bad'}
                  label={budgetSentence(report.total, budget)}
                />
              </span>
            )}
          </>
        ) : (
          <EncodingField source={source} />
        )}
      </div>
      <PageTabs
        label="Tokens"
        tabs={[
          {
            value: 'count',
            name: 'Count',
            panel: <CountTab source={source} report={count} />,
          },
          { value: 'find', name: 'Find a tool', panel: <FindToolTab source={source} /> },
        ]}
        shown={tab}
        onShow={(value) => source.change('tab', value === 'count' ? null : value)}
      />
    </>
  );
}

/** The money, and what skills cost besides. */
function costWords(report: TokenReport) {
  const bodies = bodySentence(report);
  return (
    <>
      <PlainText
        text={costSentence(report) ?? 'Choose a model below to see what 1,000 requests cost.'}
      />
      {bodies !== null && ` ${bodies}`}
    </>
  );
}

const columns: Column<FoundTools['tools'][number]>[] = [
  codeColumn('tool', 'Tool', 'minmax(180px, 1fr)', (row) => row.toolId, { sorts: false }),
  numberColumn('score', 'Score', 80, (row) => row.score, {
    hint: 'Score of the chosen retriever. Tools that score 0 are not returned.',
    text: (score) => formatDecimal(score, 3),
  }),
  numberColumn('tokens', 'Tokens', 80, (row) => row.tokenCount),
  textColumn('description', 'Description', 'minmax(240px, 2fr)', (row) => row.tool.description, {
    sorts: false,
  }),
];

/** What a model would see if it searched for a tool instead of getting all of them. */
function FindToolTab({ source }: { source: TokenSource }) {
  const { client } = useApi();
  const retrievers = useRead((ask) => ask.retrieval.retrievers);
  const [retriever, setRetriever] = useState('default');
  const [description, setDescription] = useState('');
  const [keywords, setKeywords] = useState('');
  const [k, setK] = useState(5);
  const found = useMutation({
    mutationFn: () =>
      client.tokens.findTool({
        source: source.source,
        description,
        keywords,
        k,
        retriever,
        encoding: source.encoding,
      }),
  });
  const empty = `${description}${keywords}`.trim() === '';
  return (
    <>
      <form className={classes.form} {...submitting(() => found.mutate())}>
        <TextInput
          label="Tool description"
          placeholder="what the tool should do"
          flex={2}
          miw={260}
          maxLength={20_000}
          {...typed(description, setDescription)}
        />
        <TextInput
          label="Keywords"
          flex={1}
          miw={160}
          maxLength={20_000}
          {...typed(keywords, setKeywords)}
        />
        <Select
          label="Retriever"
          w={140}
          data={retrievers.data?.map(({ id }) => id) ?? [retriever]}
          {...choosing(retriever, setRetriever)}
        />
        <NumberInput label="At most" w={90} {...wholeNumber(k, [1, 1000], setK)} />
        <Action
          label="Find"
          filled
          type="submit"
          icon={IconSearch}
          disabled={empty}
          loading={found.isPending}
        />
      </form>
      <ErrorNotice error={found.error} />
      {found.data ? (
        <Found found={found.data} />
      ) : (
        <EmptyState
          icon={<IconSearch size={32} stroke={1.5} />}
          message="Describe what you need to see which tools are found and how many tokens you save by showing only those."
        />
      )}
    </>
  );
}

function Found({ found: { tools, offered, tokenMetrics, excluded } }: { found: FoundTools }) {
  return (
    <>
      {excluded.length > 0 && (
        <Notice tone="warning">
          <PlainText
            text={`Not in the baseline: ${excluded
              .map(({ server, reason }) => `${server} (${reason})`)
              .join(', ')}`}
          />
        </Notice>
      )}
      <div className={classes.tiles}>
        <Tile
          label="Saved"
          meaning="Tokens saved by showing only the tools found: 100 · (all − found) ÷ all."
          number={formatShare(tokenMetrics.savingsPercentage / 100)}
          basis={`${formatCount(tokenMetrics.tokensSaved)} tokens`}
        />
        <Tile
          label="Returned"
          meaning="Tokens of the tools found."
          number={formatCount(tokenMetrics.returnedTokens)}
          basis={`tokens, n ${formatCount(tools.length)} tools`}
        />
        <Tile
          label="Baseline"
          meaning="Tokens of all tools on the same servers, without those that can’t be reached."
          number={formatCount(tokenMetrics.baselineTokens)}
          basis={`tokens, n ${formatCount(offered)} tools`}
        />
      </div>
      <DataTable
        label="Found tools"
        columns={columns}
        rows={tools}
        rowKey={(row) => row.toolId}
        maxHeight="420px"
        empty="No tool matches these words."
      />
    </>
  );
}
