import { Button, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';

interface SaveToolProps {
  isNew: boolean;
  /** Why it can't be saved now; null if it can. */
  blocked: string | null;
  saving: boolean;
  error: unknown;
  onSave: (changelog: string) => void;
}

/** Saves the next version with a changelog line. */
export function SaveTool({ isNew, blocked, saving, error, onSave }: SaveToolProps) {
  const [open, setOpen] = useState(false);
  const [changelog, setChangelog] = useState('');
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={360}
      trapFocus
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant={blocked === null ? 'filled' : 'default'}
          disabled={blocked !== null}
          title={blocked ?? undefined}
          onClick={() => setOpen(!open)}
        >
          {isNew ? 'Create tool' : 'Save'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onSave(changelog);
          }}
        >
          <Stack gap="sm">
            <TextInput
              data-autofocus
              label="Changelog"
              description={
                isNew ? 'Optional. Where the tool comes from.' : 'What’s new, in one line.'
              }
              value={changelog}
              onChange={(event) => setChangelog(event.currentTarget.value)}
            />
            {error !== null && error !== undefined && <ErrorNotice error={error} />}
            <Button type="submit" loading={saving}>
              {isNew ? 'Create version 1' : 'Save version'}
            </Button>
            <Text size="xs" c="dimmed">
              Earlier versions are kept. You can restore them.
            </Text>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
