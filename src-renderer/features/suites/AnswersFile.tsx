import { Text } from '@mantine/core';
import { counted } from '../../../src-shared/display/numbers.ts';
import { Action } from '../../ui/fields/controls.tsx';
import { ChooseFile } from '../../ui/files/ChooseFile.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';

interface AnswersFileProps<Before> {
  joined: { name: string; before: Before; unused: readonly string[] } | null;
  isReading: boolean;
  onFile: (file: File) => void;
  onRemove: (before: Before) => void;
}

/** Right answers that are in a file of their own, which is joined by the ID of each request. */
export function AnswersFile<Before>({
  joined,
  isReading,
  onFile,
  onRemove,
}: AnswersFileProps<Before>) {
  if (joined !== null)
    return (
      <Text size="sm">
        Joined with “
        <PlainText text={joined.name} />” by the ID of each request.{' '}
        {joined.unused.length > 0 &&
          `${counted(joined.unused.length, 'answer')} to no request of the file. `}
        <Action label="Remove the answers" small onClick={() => onRemove(joined.before)} />
      </Text>
    );
  return (
    <Text size="sm">
      Are the right answers in a file of their own?{' '}
      <ChooseFile
        accept=".json,.jsonl,.ndjson,.csv,.tsv,.yaml,.yml"
        onFiles={([file]) => onFile(file)}
      >
        {({ onClick }) => (
          <Action label="Add a file of answers" small loading={isReading} onClick={onClick} />
        )}
      </ChooseFile>
    </Text>
  );
}
