import { Checkbox, Group, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../../../ui/fields/Action.tsx';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { WordDiff } from '../../../ui/text/WordDiff.tsx';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import classes from '../evaluations.module.css';
import type { ToolEdit } from './whatIfForm.ts';

interface ToolEditorProps {
  tool: SnapshotTool;
  edit: ToolEdit;
  /** True if its whole server is removed. */
  gone: boolean;
  /** True where the name can't change. */
  isNameFixed?: boolean;
  onChange: (edit: ToolEdit) => void;
}

/** One tool: whether it is offered, and with which name and description. */
export function ToolEditor({ tool, edit, gone, isNameFixed = false, onChange }: ToolEditorProps) {
  const [open, setOpen] = useState(false);
  const id = toolId(tool.server, tool.name);
  const removed = gone || edit.removed === true;
  const reworded = edit.description !== undefined && edit.description !== tool.description;
  const renamed =
    edit.name !== undefined && edit.name.trim() !== '' && edit.name.trim() !== tool.name;
  return (
    <li>
      <Group gap="sm" py={4} wrap="nowrap">
        <Checkbox
          checked={!removed}
          disabled={gone}
          aria-label={`Offer ${id}`}
          onChange={(event) => onChange({ ...edit, removed: !event.currentTarget.checked })}
        />
        <span className={`ts-mono ts-foreign ${removed ? (classes.quiet ?? '') : ''}`}>
          <PlainText text={id} />
        </span>
        {removed && <StatusBadge tone="bad" label="Left out" />}
        {!removed && reworded && <StatusBadge tone="warning" label="New description" />}
        {!removed && renamed && <StatusBadge tone="warning" label="Renamed" />}
        <Action
          label={open ? 'Close' : 'Change'}
          size="compact-xs"
          ml="auto"
          style={{ flexShrink: 0 }}
          disabled={removed}
          aria-expanded={open}
          aria-label={`${open ? 'Close' : 'Change'} ${id}`}
          onClick={() => setOpen(!open)}
        />
      </Group>
      {open && !removed && (
        <div className={classes.toolBody}>
          {!isNameFixed && (
            <TextInput
              label="Name"
              value={edit.name ?? tool.name}
              maxLength={128}
              onChange={(event) => onChange({ ...edit, name: event.currentTarget.value })}
            />
          )}
          <Textarea
            label="Description"
            minRows={2}
            maxRows={12}
            mt="xs"
            value={edit.description ?? tool.description}
            onChange={(event) => onChange({ ...edit, description: event.currentTarget.value })}
          />
          {reworded && (
            <div style={{ marginTop: 8 }}>
              <WordDiff before={tool.description} after={edit.description ?? ''} />
            </div>
          )}
          {(reworded || renamed) && (
            <Action
              label="Reset"
              size="compact-xs"
              mt="xs"
              w="fit-content"
              onClick={() => onChange({})}
            />
          )}
        </div>
      )}
    </li>
  );
}
