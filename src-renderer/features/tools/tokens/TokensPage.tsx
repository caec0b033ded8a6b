import { NumberInput, Select } from '@mantine/core';
import { Action } from '../../../ui/fields/Action.tsx';
import {
  bodySentence,
  budgetSentence,
  costSentence,
  tokenHeadline,
} from '../../../../src-shared/display/tokenTexts.ts';
import type { TokenReport } from '../../../../src-shared/domain/tokenReport.ts';
import { encodingNames } from '../../../../src-shared/domain/tokens.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { ShownExport } from '../../../saving/ExportMenu.tsx';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { PageTabs } from '../../../ui/frame/PageTabs.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Term } from '../../../ui/text/Term.tsx';
import { CountTab } from './CountTab.tsx';
import { FindToolTab } from './FindToolTab.tsx';
import { useTokenSource } from './useTokenSource.ts';
import classes from './tokens.module.css';

/** What the tools cost in tokens, and how many a model needs to see. */
export function TokensPage() {
  const { queries } = useApi();
  const source = useTokenSource();
  const count = useRead(queries.tokens.count, {
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
          <Select
            label={<Term name="encoding" />}
            aria-label="Encoding"
            w={160}
            data={[...encodingNames]}
            value={source.encoding}
            onChange={(value) => source.change('encoding', value)}
          />
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
