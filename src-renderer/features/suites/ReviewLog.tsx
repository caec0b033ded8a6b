import { Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { alternatives } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { EmptyState } from '../../ui/notices/notices.tsx';
import { ImportProgress } from './ImportProgress.tsx';
import { Action, typed } from '../../ui/fields/controls.tsx';
import { NextStep } from './NextStep.tsx';
import { ProposalGrid } from './ProposalGrid.tsx';
import { ServerOfTools } from './ServerOfTools.tsx';
import { ProposalNotes } from './ProposalNotes.tsx';
import { useReview } from './useReview.ts';

interface ReviewLogProps {
  fileName: string;
  text?: string;
  /** A file that is read where the workspace is, in place of a text. */
  path?: string;
  /** The suite for the cases; null for a new one. */
  into: string | null;
  onCancel: () => void;
}

/** A log of what models did, as cases that a person accepts, corrects or drops. */
export function ReviewLog({ fileName, text = '', path, into, onCancel }: ReviewLogProps) {
  const { client, queries, reread } = useApi();
  const [name, setName] = useState(fileName.replace(/\.[^.]*$/, '') || 'log');
  const [server, setServer] = useState('');
  const [added, setAdded] = useState<{ suiteId: string; count: number } | null>(null);
  const created = useRef<string | null>(null);
  const review = useReview(
    (signal: AbortSignal) =>
      client.suites.proposeFromLog(
        {
          fileName,
          source: path === undefined ? { text } : { path },
          ...(server === '' ? {} : { server }),
        },
        { signal },
      ),
    async (cases, { madeBy }) => {
      const servers = cases.flatMap(({ content }) =>
        content.expectedCalls.flatMap((call) => alternatives(call).map((tool) => tool.server)),
      );
      created.current ??=
        into ??
        (await client.suites.create({ name: name.trim(), servers: [...new Set(servers)] })).id;
      await client.suites.acceptProposals({ suiteId: created.current, madeBy, cases });
      return { suiteId: created.current, count: cases.length };
    },
    async ({ suiteId, count }) => {
      setAdded((before) => ({ suiteId, count: (before?.count ?? 0) + count }));
      await reread(queries.suites);
    },
  );
  const { propose, open } = review;
  const work = useRef(new AbortController());
  const start = (): void => {
    work.current = new AbortController();
    propose.mutate(work.current.signal);
  };
  const read = useEffectEvent(start);
  useEffect(() => {
    created.current = null;
    read();
    return () => work.current.abort();
  }, [text, path, server, into]);
  return (
    <Stack gap="md">
      {propose.isPending && (
        <Text c="dimmed">
          Reading the log <ImportProgress /> <Action label="Cancel" small onClick={onCancel} />
        </Text>
      )}
      <ProposalNotes review={review} onRetry={start} />
      {(server !== '' || (propose.data?.log.ofNoServer.length ?? 0) > 0) && (
        <ServerOfTools
          description="For tools that no registered server has, or several have."
          first={server}
          onServer={setServer}
        />
      )}
      {added !== null && <NextStep suiteId={added.suiteId} added={added.count} back={null} />}
      {propose.data?.cases.length === 0 && (
        <EmptyState message="No case to review: the note above says why." />
      )}
      {open.length > 0 && (
        <>
          {into === null && added === null && (
            <TextInput
              w={360}
              label="Name of the new suite"
              {...typed(name, setName)}
              maxLength={200}
            />
          )}
          <ProposalGrid review={review} corrects />
        </>
      )}
    </Stack>
  );
}
