import { Group, Stack, Text } from '@mantine/core';
import { Action } from '../../ui/fields/Action.tsx';
import type { ManagedTool } from '../../../src-shared/domain/workshop.ts';
import { Notice } from '../../ui/notices/Notice.tsx';
import type { ToolEditor } from './useToolEditor.ts';

interface OutdatedProps {
  tool: ManagedTool;
  editor: ToolEditor;
  onTakeTheirs: () => void;
  onCompare: () => void;
}

/**
 * Someone else has saved since this editor was opened. Nothing is lost on either side until the
 * user decides.
 */
export function Outdated({ tool, editor, onTakeTheirs, onCompare }: OutdatedProps) {
  const { version } = tool;
  return (
    <Notice tone="warning">
      <Stack gap="sm">
        <Text size="sm">
          {editor.dirty
            ? `Version ${version} was saved elsewhere; your changes are based on version ` +
              `${editor.baseVersion ?? 1}.`
            : `Version ${version} was saved elsewhere; version ${editor.baseVersion ?? 1} is ` +
              'shown.'}
        </Text>
        <Group gap="sm">
          {editor.dirty && <Action label="Compare" size="xs" onClick={onCompare} />}
          {editor.dirty && (
            <Action
              label={`Keep mine as a version after ${version}`}
              size="xs"
              onClick={() => editor.rebase(version)}
            />
          )}
          <Action
            label={editor.dirty ? 'Discard mine' : `Show version ${version}`}
            size="xs"
            onClick={onTakeTheirs}
          />
        </Group>
      </Stack>
    </Notice>
  );
}
