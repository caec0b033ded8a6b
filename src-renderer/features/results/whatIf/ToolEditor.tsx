import { Checkbox, Group, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Action, ticked, typed } from '../../../ui/fields/controls.tsx';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { PlainText } from '../../../ui/text/Foreign.tsx';
import { WordDiff } from '../../../ui/text/WordDiff.tsx';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import classes from '../evaluations.module.css';
import type { ToolEdit } from './whatIfForm.ts';

interface ToolEditorProps {
  tool: SnapshotTool;
  /** How often it failed in the evaluation; absent: never. */
  failed: { failed: number; of: number } | undefined;
  edit: ToolEdit;
  /** True if its whole server is removed. */
  gone: boolean;
  /** True where the name can't change. */
  isNameFixed?: boolean;
  onChange: (edit: ToolEdit) => void;
}

/** One tool: how often it failed, whether it is offered, and with which name and description. */
export function ToolEditor(props: ToolEditorProps) {
  const { tool, failed, edit, gone, isNameFixed = false, onChange } = props;
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
          {...ticked(!removed, (isOn) => onChange({ ...edit, removed: !isOn }))}
          disabled={gone}
          aria-label={`Offer ${id}`}
        />
        <span className={`ts-mono ts-foreign ${removed ? (classes.quiet ?? '') : ''}`}>
          <PlainText text={id} />
        </span>
        {failed && (
          <span className={classes.quiet}>
            {formatCount(failed.failed)} of {counted(failed.of, 'run')} failed
          </span>
        )}
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
              {...typed(edit.name ?? tool.name, (name) => onChange({ ...edit, name }))}
              maxLength={128}
            />
          )}
          <Textarea
            label="Description"
            minRows={2}
            maxRows={12}
            mt="xs"
            {...typed(edit.description ?? tool.description, (description) =>
              onChange({ ...edit, description }),
            )}
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
