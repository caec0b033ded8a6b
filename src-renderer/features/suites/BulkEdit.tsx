import { Checkbox, Group, Modal, Stack, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { Action, submitting, ticked } from '../../ui/fields/controls.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';

export interface CaseChange {
  addTags: string[];
  removeTags: string[];
  servers?: string[];
}

interface BulkEditProps {
  count: number;
  knownTags: string[];
  knownServers: string[];
  onApply: (change: CaseChange) => void;
  onClose: () => void;
}

/** One change for many cases, which can be undone as one. */
export function BulkEdit({ count, knownTags, knownServers, onApply, onClose }: BulkEditProps) {
  const [addTags, setAddTags] = useState<string[]>([]);
  const [removeTags, setRemoveTags] = useState<string[]>([]);
  const [setsServers, setSetsServers] = useState(false);
  const [servers, setServers] = useState<string[]>([]);
  const nothing = addTags.length === 0 && removeTags.length === 0 && !setsServers;
  return (
    <Modal opened onClose={onClose} title={`Edit ${counted(count, 'case')}`}>
      <form
        {...submitting(() => {
          if (!nothing) onApply({ addTags, removeTags, ...(setsServers ? { servers } : {}) });
        })}
      >
        <Stack gap="md">
          {/* It has the focus at once: a list that opened with it would lie over the rest of the dialog. */}
          <TagsInput
            label="Add tags"
            data={knownTags}
            value={addTags}
            onChange={setAddTags}
            openOnFocus={false}
            data-autofocus
          />
          <TagsInput
            label="Remove tags"
            data={knownTags}
            value={removeTags}
            onChange={setRemoveTags}
          />
          <Checkbox
            label="Set the servers the model sees"
            {...ticked(setsServers, setSetsServers)}
          />
          {setsServers && (
            <TagsInput
              label="Servers"
              description="If empty, the suite's servers."
              data={knownServers}
              value={servers}
              onChange={setServers}
              splitChars={[]}
            />
          )}
          <p className="ts-quiet">Earlier evaluations don't change.</p>
          <Group>
            <Action
              label={`Change ${counted(count, 'case')}`}
              filled
              type="submit"
              disabled={nothing}
            />
            <Action label="Cancel" onClick={onClose} />
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
