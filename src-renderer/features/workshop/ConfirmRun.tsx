import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { JsonText } from '../../ui/text/JsonText.tsx';

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
    <Modal opened onClose={onClose} title={<span className="ts-foreign">Run “{name}”?</span>}>
      <Stack gap="md">
        <Text>
          This tool may destroy or overwrite data, and Touchstone can’t undo that. It runs with
          exactly these arguments:
        </Text>
        <JsonText value={given} label="Arguments" />
        <Group>
          <Button color="vermilion" onClick={onRun}>
            Run tool
          </Button>
          <Button variant="default" data-autofocus onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
