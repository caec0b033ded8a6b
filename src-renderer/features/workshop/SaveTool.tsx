import { Popover, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Action, submitting, typed } from '../../ui/fields/controls.tsx';
import { ErrorNotice } from '../../ui/notices/notices.tsx';

interface SaveToolProps {
  isNew: boolean;
  /** Why it can't be saved now; null if it can. */
  blocked: string | null;
  saving: boolean;
  error: unknown;
  onSave: (changelog: string) => void;
}

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
        <Action
          label={isNew ? 'Create tool' : 'Save'}
          filled={blocked === null}
          disabled={blocked !== null}
          title={blocked ?? undefined}
          onClick={() => setOpen(!open)}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <form {...submitting(() => onSave(changelog))}>
          <Stack gap="sm">
            <TextInput
              data-autofocus
              label="Changelog"
              description={
                isNew ? 'Optional. Where the tool comes from.' : 'What’s new, in one line.'
              }
              {...typed(changelog, setChangelog)}
            />
            <ErrorNotice error={error} />
            <Action
              label={isNew ? 'Create version 1' : 'Save version'}
              filled
              type="submit"
              loading={saving}
            />
            <p className="ts-hint">Earlier versions are kept. You can restore them.</p>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
