import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlaylistAdd } from '@tabler/icons-react';
import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import { useSaveCase } from '../../useSaveCase.ts';
import { type NewCase, newCaseOf } from './newCase.ts';

interface SaveAsCaseProps {
  suiteId: string;
  detail: RunDetail;
}

/**
 * Adds the request of a run to its suite, with the expected call or the one that was made, and opens
 * the new case for editing.
 */
export function SaveAsCase({ suiteId, detail }: SaveAsCaseProps) {
  const save = useSaveCase(suiteId);
  const expected = newCaseOf(detail, 'expected');
  const made = newCaseOf(detail, 'made');
  const icon = <IconPlaylistAdd size={16} aria-hidden />;
  const start = (content: NewCase) => () => {
    save.mutate(content);
  };
  if (made === null)
    return (
      <Button
        variant="default"
        leftSection={icon}
        loading={save.isPending}
        onClick={start(expected)}
      >
        Save as new case
      </Button>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={icon}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          loading={save.isPending}
        >
          Save as new case
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={start(expected)}>With the expected call</Menu.Item>
        <Menu.Item onClick={start(made)}>With the call that was made</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
