import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';

/** Asks before the file is removed with keys that nobody can read any more. */
export function DiscardKeys({ onClose }: { onClose: () => void }) {
  const { client } = useApi();
  const cache = useQueryClient();
  const discard = useMutation({
    mutationFn: () => client.keys.leaveFile({ discard: true }),
    onSuccess: async () => {
      onClose();
      await cache.invalidateQueries();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Delete the key file">
      <Stack gap="md">
        <Text>
          This deletes all keys in the file, including secrets of servers and tools. You have to
          enter them again.
        </Text>
        {discard.error !== null && <ErrorNotice error={discard.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={discard.isPending} onClick={() => discard.mutate()}>
            Delete key file
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
