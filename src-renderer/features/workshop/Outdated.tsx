import { Button, Group, Stack, Text } from '@mantine/core';
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
          {editor.dirty && (
            <Button size="xs" variant="default" onClick={onCompare}>
              Compare
            </Button>
          )}
          {editor.dirty && (
            <Button size="xs" variant="default" onClick={() => editor.rebase(version)}>
              Keep mine as a version after {version}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onTakeTheirs}>
            {editor.dirty ? 'Discard mine' : `Show version ${version}`}
          </Button>
        </Group>
      </Stack>
    </Notice>
  );
}
