import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { RetrievalComparison } from '../../../src-shared/domain/retrievalRun.ts';
import { Cut, PlainText } from '../../ui/text/Foreign.tsx';
import { SidePanel } from '../../ui/panels/panels.tsx';
import { NotFound } from '../../ui/frame/NotFound.tsx';
import classes from './retrieval.module.css';

const markWords = ['not relevant', 'acceptable', 'primary'] as const;

/** One query: its labels, and how the first and the compared retriever rank it. */
export function QueryPanel(props: {
  comparison: RetrievalComparison;
  id: string;
  against: number;
  onClose: () => void;
}) {
  const { comparison, id, against, onClose } = props;
  const query = comparison.queries.find((each) => each.id === id);
  if (!query) return <NotFound />;
  const relevance = new Map(query.labels.map((label) => [label.tool_id, label.relevance]));
  const shown = [...new Set([0, Math.max(1, against)])].flatMap(
    (at) => comparison.results[at] ?? [],
  );
  return (
    <SidePanel title={query.query} subtitle={query.id} onClose={onClose} contentKey={id}>
      <Stack gap="md">
        {query.notes !== undefined && <PlainText as="p" className="ts-quiet" text={query.notes} />}
        <div>
          <Text size="sm" fw={600} component="h3">
            Labels
          </Text>
          <ul className={classes.ranking}>
            {query.labels.map((label) => (
              <li key={label.tool_id}>
                <Cut text={label.tool_id} mono />{' '}
                <span className={classes.mark}>{markWords[label.relevance]}</span>
              </li>
            ))}
          </ul>
        </div>
        <Anchor
          component={Link}
          size="sm"
          to={`/labs/retrieval/golden/${encodeURIComponent(comparison.goldenVersion)}`}
        >
          Edit the labels of {comparison.goldenVersion}
        </Anchor>
        <div className={classes.rankings}>
          {shown.map((result) => {
            const entry = result.perQuery.find((each) => each.id === id);
            return (
              <div key={`${result.retriever} ${result.title}`}>
                <Text size="sm" fw={600} component="h3">
                  <PlainText text={result.retriever} />
                </Text>
                <ol className={classes.ranking} aria-label={`Ranking of ${result.retriever}`}>
                  {(entry?.top ?? []).map((toolId) => {
                    const grade = relevance.get(toolId);
                    return (
                      <li
                        key={toolId}
                        className={grade !== undefined && grade > 0 ? classes.hit : undefined}
                      >
                        <Cut text={toolId} mono />
                        {grade !== undefined && (
                          <span className={classes.mark}>{markWords[grade]}</span>
                        )}
                      </li>
                    );
                  })}
                </ol>
                {entry?.top.length === 0 && <p className="ts-quiet">No tools ranked.</p>}
                {entry &&
                  entry.firstRelevant !== null &&
                  entry.firstRelevant > entry.top.length && (
                    <p className="ts-quiet">
                      The first relevant tool is at position {entry.firstRelevant}.
                    </p>
                  )}
              </div>
            );
          })}
        </div>
      </Stack>
    </SidePanel>
  );
}
