import { Button } from '@mantine/core';
import { IconPlaylistAdd } from '@tabler/icons-react';
import type { CaseContent } from '../../../../../src-shared/domain/testCase.ts';
import { useSaveCase } from '../../useSaveCase.ts';

interface SaveStepAsCaseProps {
  suiteId: string;
  content: CaseContent;
}

/** Adds the calls of a step to the suite as a test case, and opens it for editing. */
export function SaveStepAsCase({ suiteId, content }: SaveStepAsCaseProps) {
  const save = useSaveCase(suiteId);
  return (
    <div>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlaylistAdd size={16} aria-hidden />}
        loading={save.isPending}
        onClick={() => {
          save.mutate(content);
        }}
      >
        Save as new case
      </Button>
    </div>
  );
}
