import { Button, MultiSelect, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LintFinding, LintRuleInfo } from '../../../src-shared/domain/lint.ts';
import { useApi, useStoredToolsLine } from '../../api/index.ts';
import { Cut } from '../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { ShownExport } from '../../saving/ExportMenu.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { StoredToolsNotice } from '../../ui/notices/StoredToolsNotice.tsx';
import { ServersWithoutTools } from '../../ui/notices/ServersWithoutTools.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { Fold } from '../../ui/panels/Fold.tsx';
import { Tile } from '../../ui/estimate/EstimateTile.tsx';
import { counted } from '../../ui/text/words.ts';
import { RatingsSection } from './RatingsSection.tsx';
import classes from './similarity.module.css';

const severities = ['high', 'medium', 'low'];
const columns: Column<LintFinding>[] = [
  {
    id: 'severity',
    header: 'Severity',
    width: 96,
    cell: ({ severity }) => severity,
    sortValue: ({ severity }) => severities.indexOf(severity),
  },
  {
    id: 'rule',
    header: 'Rule',
    width: 190,
    cell: ({ rule }) => rule,
    sortValue: ({ rule }) => rule,
  },
  {
    id: 'tool',
    header: 'Tool',
    width: 'minmax(160px, 1fr)',
    cell: ({ toolId }) => <Cut text={toolId} mono />,
    sortValue: ({ toolId }) => toolId,
  },
  {
    id: 'message',
    header: 'Finding',
    width: 'minmax(260px, 3fr)',
    cell: ({ message }) => <Cut text={message} />,
    sortValue: ({ message }) => message,
  },
];
const findingKey = ({ toolId, rule, message, span }: LintFinding): string =>
  `${toolId} ${rule} ${span?.[0] ?? ''} ${message}`;

/** Findings of the lint rules in the descriptions, and ratings by a model. */
export function QualityPage() {
  const { queries } = useApi();
  const servers = useQuery(queries.servers.list.queryOptions());
  const rules = useQuery(queries.similarity.lintRules.queryOptions());
  const storedLine = useStoredToolsLine(null);
  const [off, setOff] = useState<string[]>([]);
  const [asked, setAsked] = useState(false);
  const names = servers.data?.map(({ name }) => name) ?? [];
  // Stored tools are checked at once; a server that was never listed is only started when asked.
  const isShown =
    asked ||
    (names.length > 0 && servers.data?.every(({ toolCount }) => toolCount !== null) === true);
  const report = useQuery(
    queries.similarity.lint.queryOptions({
      input: { input: { serverList: names }, off },
      enabled: isShown && names.length > 0,
      placeholderData: keepPreviousData,
    }),
  );
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Tools', to: '/tools/quality' }, { label: 'Quality' }]}
        title="Tool quality"
        subtitle="What makes tools hard to choose: findings of named rules, and ratings by a model if you ask one."
      />
      <div className={`ts-panel ${classes.form ?? ''}`}>
        <MultiSelect
          className={classes.servers ?? ''}
          label="Rules turned off"
          data={rules.data?.map(({ id }) => id) ?? []}
          value={off}
          onChange={setOff}
          searchable
          placeholder={off.length === 0 ? 'none' : ''}
        />
        <Button
          variant={isShown ? 'default' : 'filled'}
          disabled={names.length === 0}
          loading={report.isFetching}
          onClick={() => {
            if (isShown) void report.refetch();
            else setAsked(true);
          }}
        >
          Check the tools of all servers
        </Button>
      </div>
      {servers.data?.length === 0 && (
        <EmptyState message="There are no servers whose tools could be checked." />
      )}
      {isShown && (
        <Loaded query={report} blocks={[80, 300]}>
          {({ findings, tools, servers: scores, failed }) => (
            <>
              <StoredToolsNotice line={storedLine} />
              <ServersWithoutTools failed={failed} />
              <div className={classes.tiles}>
                {scores.map(({ server, score, tools: count }) => (
                  <Tile
                    key={server}
                    label={server}
                    meaning="Mean over its tools, 1 to 10: 10 less 4, 2 or 1 for each rule of high, medium or low severity that finds something."
                    number={score.toFixed(1)}
                    basis={`of 10 · n ${counted(count, 'tool')}`}
                  />
                ))}
              </div>
              <DataTable
                label="Findings"
                columns={columns}
                rows={findings}
                rowKey={findingKey}
                maxHeight="50vh"
                empty={<EmptyState message="No rule finds anything in these tools." />}
                toolbar={
                  <>
                    <Text size="sm" c="dimmed">
                      {counted(findings.length, 'finding')}
                    </Text>
                    <ShownExport
                      subject="lint"
                      name=""
                      without={['junit']}
                      shown={{ subject: 'lint', report: { findings, tools, servers: scores } }}
                    />
                  </>
                }
              />
            </>
          )}
        </Loaded>
      )}
      {names.length > 0 && <RatingsSection servers={names} />}
      <Fold title="All rules" hint="What each rule finds, with examples">
        {rules.data && <Rules rules={rules.data} />}
      </Fold>
    </>
  );
}

function Rules({ rules }: { rules: readonly LintRuleInfo[] }) {
  return (
    <dl className={classes.rules}>
      {rules.map(({ id, severity, what, bad, good }) => (
        <div key={id}>
          <dt>
            <span className="ts-mono">{id}</span>{' '}
            <span className={classes.priority}>{severity}</span>
          </dt>
          <dd>{what}</dd>
          <dd className={classes.quiet}>
            Bad: <Foreign text={bad} limit={160} />
          </dd>
          <dd className={classes.quiet}>
            Good: <Foreign text={good} limit={160} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
