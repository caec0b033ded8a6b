import { Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ToolQuality } from '../../../../src-shared/domain/toolQuality.ts';
import { useApi } from '../../../api/index.ts';
import { Cut } from '../../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { ServersWithoutTools } from '../../../ui/notices/ServersWithoutTools.tsx';
import { WorkBar } from '../../../ui/progress/WorkBar.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { counted } from '../../../ui/text/words.ts';
import { AskModel } from '../../../models/AskModel.tsx';
import { cancelRating, startRating, useRatingWork } from './ratingWork.ts';
import classes from '../similarity.module.css';

const parts = ['clarity', 'completeness', 'conciseness'] as const;
const partWords = { clarity: 'Clarity', completeness: 'Completeness', conciseness: 'Conciseness' };
const hints = {
  clarity: '1 to 10: is it plain what it does, and when to use it.',
  completeness: '1 to 10: are inputs, effects and limits described.',
  conciseness: '1 to 10: is every sentence needed.',
};
const lowest = (quality: ToolQuality): number =>
  Math.min(...parts.map((part) => quality[part].score));

const columns: Column<ToolQuality>[] = [
  {
    id: 'tool',
    header: 'Tool',
    width: 'minmax(180px, 1fr)',
    cell: ({ toolId }) => <Cut text={toolId} mono />,
    sortValue: ({ toolId }) => toolId,
  },
  ...parts.map((part): Column<ToolQuality> => ({
    id: part,
    header: partWords[part],
    hint: hints[part],
    width: 130,
    align: 'right',
    cell: (quality) => String(quality[part].score),
    sortValue: (quality) => quality[part].score,
  })),
  {
    id: 'weakest',
    header: 'What would help most',
    width: 'minmax(220px, 2fr)',
    cell: (quality) => <Cut text={weakest(quality).suggestion} />,
    sortValue: lowest,
  },
];

function weakest(quality: ToolQuality) {
  return parts
    .map((part) => quality[part])
    .reduce((least, one) => (one.score < least.score ? one : least));
}

/** A model's rating of each description, with its reasons. */
export function RatingsSection({ servers }: { servers: readonly string[] }) {
  const { client } = useApi();
  const work = useRatingWork();
  const [chosen, setChosen] = useState<string[] | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const named = chosen ?? [...servers];
  const open = work.ratings.find(({ toolId }) => toolId === opened);
  const done = work.ratings.length + work.unrated.length;
  return (
    <Section title="Rated by a model">
      <Stack gap="sm">
        <Group align="end">
          <MultiSelect
            label="Servers to rate"
            miw={260}
            data={[...servers]}
            value={named}
            onChange={setChosen}
            searchable
            hidePickedOptions
            placeholder={named.length === 0 ? 'Choose servers' : ''}
          />
          {work.running ? (
            <Button variant="default" onClick={cancelRating}>
              Cancel rating
            </Button>
          ) : (
            <AskModel
              label="Rate with a model…"
              cost="It is asked once for each tool of these servers. The tool is shown to it, nothing else."
              disabled={named.length === 0}
              ask={(model) => startRating(client, named, model)}
            />
          )}
        </Group>
        {work.running && (
          <WorkBar
            label="Rating"
            done={done}
            total={work.total ?? 1}
            pace={{ done, total: work.total ?? 1, since: work.startedAt }}
            unit="tool"
            stage={work.total === null ? 'listing tools' : 'asking the model'}
          />
        )}
        <ServersWithoutTools failed={work.failed} />
        {work.error !== null && <ErrorNotice error={work.error} />}
        {work.unrated.length > 0 && (
          <Notice tone="warning">{`${counted(work.unrated.length, 'tool')} not rated. ${work.unrated
            .slice(0, 3)
            .map(({ toolId, reason }) => `${toolId}: ${reason}`)
            .join(' ')}`}</Notice>
        )}
        {work.ratings.length === 0 ? (
          !work.running && (
            <Text size="sm" c="dimmed">
              A model says how clear, complete and concise each description is, from 1 to 10, with
              its reason and what would raise it. Another model, or the same model asked again, may
              rate it differently.
            </Text>
          )
        ) : (
          <>
            <DataTable
              label="Ratings"
              columns={columns}
              rows={work.ratings}
              rowKey={({ toolId }) => toolId}
              onOpen={({ toolId }) => {
                setOpened(toolId);
              }}
              selected={opened}
              maxHeight="50vh"
              empty={<EmptyState message="No tool was rated." />}
              toolbar={
                <Text size="sm" c="dimmed">
                  {counted(work.ratings.length, 'tool')} rated by {work.ratings[0]?.model}. Open one
                  to see the reasons.
                </Text>
              }
            />
            {open && <Reasons quality={open} />}
          </>
        )}
      </Stack>
    </Section>
  );
}

function Reasons({ quality }: { quality: ToolQuality }) {
  return (
    <div
      className={`ts-panel ${classes.entry ?? ''}`}
      role="region"
      aria-label={`Rating of ${quality.toolId}`}
    >
      <bdi className="ts-mono">{quality.toolId}</bdi>
      <dl className={classes.rules}>
        {parts.map((part) => (
          <div key={part}>
            <dt>
              {partWords[part]} <span className="ts-number">{quality[part].score}</span> of 10
            </dt>
            <dd>
              <Foreign text={quality[part].explanation} limit={1_000} />
            </dd>
            {quality[part].suggestion !== '' && (
              <dd className={classes.quiet}>
                To raise it: <Foreign text={quality[part].suggestion} limit={1_000} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  );
}
