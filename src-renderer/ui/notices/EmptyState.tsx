import { Group, Stack, Text } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PlainText } from '../text/PlainText.tsx';
import { Illustration } from './Illustration.tsx';

interface EmptyStateProps {
  /** One sentence. */
  message: string;
  /** The one next action. */
  action?: ReactNode;
  second?: ReactNode;
  icon?: ReactNode;
}

export function EmptyState({ message, action, second, icon }: EmptyStateProps) {
  return (
    <Stack
      align="center"
      gap="md"
      py={40}
      px="lg"
      className="ts-panel"
      style={{ borderStyle: 'dashed' }}
    >
      <Illustration>{icon ?? <IconListSearch stroke={1.5} />}</Illustration>
      <Text ta="center" c="dimmed" maw={520}>
        <PlainText text={message} />
      </Text>
      {(action !== undefined || second !== undefined) && (
        <Group gap="sm" justify="center">
          {action}
          {second}
        </Group>
      )}
    </Stack>
  );
}
