import { Button } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { Link } from 'react-router';
import { useApi, useStoredToolsLine } from '../../../api/index.ts';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { ServersWithoutTools } from '../../../ui/notices/ServersWithoutTools.tsx';
import { StoredToolsNotice } from '../../../ui/notices/StoredToolsNotice.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { counted } from '../../../ui/text/words.ts';
import { QualityView } from './QualityView.tsx';
import { RatingsSection } from './RatingsSection.tsx';
import { RuleList } from './RuleList.tsx';
import { useQualityFilter } from './useQualityFilter.ts';

interface QualityPageProps {
  /** Leads from a tool to the failures that it causes; part of another feature. */
  FixFailures: ComponentType<{ tool: string }>;
}

/** What makes tools hard to choose, worst first, with a fix for each finding. */
export function QualityPage({ FixFailures }: QualityPageProps) {
  const { queries } = useApi();
  const servers = useQuery(
    queries.servers.list.queryOptions({
      // A first listing may be under way, such as that of a new workspace.
      refetchInterval: ({ state }) =>
        state.data?.some(({ toolCount }) => toolCount === null) === true ? 2_000 : false,
    }),
  );
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Tools', to: '/tools' }, { label: 'Quality' }]}
        title="Quality"
        subtitle="What makes tools hard for a model to choose or call. Fixed rules, no model needed."
      />
      <Loaded query={servers} blocks={[72, 280, 320]}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              icon={<IconChecklist stroke={1.5} />}
              message="Scores and fixes appear here once you add a server."
              action={
                <Button component={Link} to="/tools?add">
                  Add server
                </Button>
              }
            />
          ) : (
            <Checked
              listed={all.filter(({ toolCount }) => toolCount !== null).map(({ name }) => name)}
              unlisted={all.filter(({ toolCount }) => toolCount === null).map(({ name }) => name)}
              FixFailures={FixFailures}
            />
          )
        }
      </Loaded>
    </>
  );
}

interface CheckedProps extends QualityPageProps {
  listed: readonly string[];
  /** Servers that never listed their tools; they are started only if a person asks. */
  unlisted: readonly string[];
}

function Checked({ listed, unlisted, FixFailures }: CheckedProps) {
  const { queries } = useApi();
  const { filter, change } = useQualityFilter();
  const [asked, setAsked] = useState(false);
  const serverList = asked ? [...listed, ...unlisted] : [...listed];
  const storedLine = useStoredToolsLine(null);
  const rules = useQuery(queries.similarity.lintRules.queryOptions());
  // An address may name a rule that no longer exists.
  const off = filter.off.filter((id) => rules.data?.some((rule) => rule.id === id) === true);
  const report = useQuery(
    queries.similarity.lint.queryOptions({
      input: { input: { serverList }, off },
      enabled: serverList.length > 0 && rules.data !== undefined,
      placeholderData: keepPreviousData,
    }),
  );
  const check = (): void => {
    setAsked(true);
  };
  if (serverList.length === 0)
    return (
      <EmptyState
        icon={<IconChecklist stroke={1.5} />}
        message="Scores and fixes appear here once your servers have listed their tools."
        action={<Button onClick={check}>Check all</Button>}
      />
    );
  return (
    <>
      <Loaded
        query={rules.isError ? { ...rules, data: undefined } : report}
        blocks={[72, 280, 320]}
      >
        {(found) =>
          'tools' in found && (
            <>
              <StoredToolsNotice line={storedLine} />
              {!asked && unlisted.length > 0 && (
                <Notice>
                  The tools of {counted(unlisted.length, 'server')} haven’t been listed yet:{' '}
                  <PlainText text={unlisted.join(', ')} />.{' '}
                  <Button size="compact-sm" variant="default" onClick={check}>
                    Check now
                  </Button>
                </Notice>
              )}
              <ServersWithoutTools failed={found.failed} />
              <QualityView
                report={found}
                filter={filter}
                change={change}
                off={off}
                FixFailures={FixFailures}
              />
            </>
          )
        }
      </Loaded>
      <RatingsSection servers={serverList} />
      {rules.data && (
        <RuleList
          rules={rules.data}
          off={off}
          onOff={(ids) => {
            change({ off: ids.join(',') });
          }}
        />
      )}
    </>
  );
}
