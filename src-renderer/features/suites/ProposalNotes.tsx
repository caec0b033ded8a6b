import { Text } from '@mantine/core';
import type { Review } from './useReview.ts';
import { ErrorNotice, Notice } from '../../ui/notices/notices.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';

const maxShown = 20;

interface ProposalNotesProps {
  review: Review;
  tone?: 'warning';
  onRetry?: () => void;
}

/** What is said about proposals: which servers and tools get none, what failed, and why. */
export function ProposalNotes({ review, tone, onRetry }: ProposalNotesProps) {
  const { propose, accept } = review;
  return (
    <>
      <ErrorNotice error={propose.error} {...(onRetry !== undefined && { onRetry })} />
      <Notes notes={propose.data?.notes ?? []} {...(tone !== undefined && { tone })} />
      <ErrorNotice error={accept.error} />
    </>
  );
}

function Notes({ notes, tone }: { notes: readonly string[]; tone?: 'warning' }) {
  if (notes.length === 0) return null;
  const more = notes.length - maxShown;
  return (
    <Notice {...(tone === undefined ? {} : { tone })}>
      {notes.slice(0, maxShown).map((note, index) => (
        <Text key={index} size="sm">
          <PlainText text={note} />
        </Text>
      ))}
      {more > 0 && <Text size="sm">And {counted(more, 'more note')}.</Text>}
    </Notice>
  );
}
