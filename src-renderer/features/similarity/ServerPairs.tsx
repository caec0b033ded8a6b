import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { ListedPair } from '../../../src-shared/contract/similarity.ts';
import {
  confusedText,
  measureTitles,
  pairScoreText,
} from '../../../src-shared/display/similarityTexts.ts';
import type { SimilarityAnalysis } from '../../../src-shared/domain/similarity.ts';
import { describeError } from '../../ui/notices/describeError.ts';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { LoadingSkeleton } from '../../ui/notices/LoadingSkeleton.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Cut } from '../../ui/text/Cut.tsx';
import { usePairs, useSimilarity } from './useSimilarity.ts';

const shownPairs = 10;

/** The tools of one server that a model could confuse most, on the page of the server. */
export function ServerPairs({ server }: { server: string }) {
  const { work, isWaiting, names, compare } = useSimilarity();
  const { analysis, error } = work;
  if (work.running || isWaiting) return <LoadingSkeleton blocks={[32, 320]} />;
  // Of fewer than two tools, there is no pair.
  if (error !== null && describeError(error).code !== 'INVALID')
    return <ErrorNotice error={error} />;
  if (error !== null) return <EmptyState message="Comparing needs at least two tools." />;
  if (analysis?.tools.some((tool) => tool.server === server) !== true)
    return (
      <EmptyState
        message="The last comparison left this server out."
        action={
          <Button
            variant="default"
            onClick={() => {
              compare({ input: { serverList: names } });
            }}
          >
            Compare all servers
          </Button>
        }
      />
    );
  return <Pairs analysis={analysis} server={server} />;
}

function Pairs({ analysis, server }: { analysis: SimilarityAnalysis; server: string }) {
  // The search finds names; which server a tool is of decides.
  const pairs = usePairs(analysis.id, { scope: 'all', search: server });
  const isOwn = ({ a, b }: ListedPair): boolean =>
    [a, b].some((at) => analysis.tools[at]?.server === server);
  const nameOf = (at: number): string => analysis.toolIds[at] ?? '';
  const columns: Column<ListedPair>[] = [
    {
      id: 'a',
      header: 'Tool',
      width: 'minmax(150px, 1fr)',
      cell: ({ a }) => <Cut text={nameOf(a)} mono />,
    },
    {
      id: 'b',
      header: 'Similar tool',
      width: 'minmax(150px, 1fr)',
      cell: ({ b }) => <Cut text={nameOf(b)} mono />,
    },
    {
      id: 'score',
      header: measureTitles[analysis.measure],
      width: 100,
      align: 'right',
      cell: ({ score }) => pairScoreText(score),
      sortValue: ({ score }) => score,
    },
    {
      id: 'confused',
      header: 'Confused',
      hint: 'Calls in evaluations that chose one of the two where the other was expected.',
      width: 150,
      cell: ({ confused }) => (confused === 0 ? '–' : confusedText(confused)),
      sortValue: ({ confused }) => confused,
    },
  ];
  return (
    <Section
      title="Most similar pairs"
      aside={
        <Button component={Link} to="/tools/similar" size="compact-sm" variant="default">
          All pairs in Tools
        </Button>
      }
    >
      <Loaded query={pairs} blocks={[320]}>
        {({ rows }) => (
          <DataTable
            label="Most similar pairs"
            columns={columns}
            rows={rows.filter(isOwn).slice(0, shownPairs)}
            rowKey={({ a, b }) => `${nameOf(a)} ${nameOf(b)}`}
            empty={<EmptyState message="No other tool to compare with." />}
          />
        )}
      </Loaded>
    </Section>
  );
}
