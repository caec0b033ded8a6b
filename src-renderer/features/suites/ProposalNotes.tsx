import { Text } from '@mantine/core';
import { Notice } from '../../ui/notices/Notice.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';

const maxShown = 20;

/** What is said about proposals: which servers and tools get none, and why. */
export function ProposalNotes({ notes, tone }: { notes: readonly string[]; tone?: 'warning' }) {
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
