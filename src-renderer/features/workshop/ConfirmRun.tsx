import { Text } from '@mantine/core';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { JsonText } from '../../ui/text/CodeView.tsx';
import { ConfirmDialog } from '../../ui/panels/ConfirmDialog.tsx';

interface ConfirmRunProps {
  name: string;
  /** The exact arguments of the call. */
  given: JsonObject;
  onRun: () => void;
  onClose: () => void;
}

/** Asks before running a tool that is marked as destructive, because that can't be undone. */
export function ConfirmRun({ name, given, onRun, onClose }: ConfirmRunProps) {
  return (
    <ConfirmDialog
      title={<span className="ts-foreign">Run “{name}”?</span>}
      confirm="Run tool"
      danger
      onConfirm={onRun}
      onClose={onClose}
    >
      <Text>
        This tool may destroy or overwrite data, and Touchstone can’t undo that. It runs with
        exactly these arguments:
      </Text>
      <JsonText value={given} label="Arguments" />
    </ConfirmDialog>
  );
}
