import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PlainText } from '../text/PlainText.tsx';

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
      py={48}
      px="lg"
      className="ts-panel"
      style={{ borderStyle: 'dashed' }}
    >
      {icon !== undefined && (
        <span aria-hidden style={{ color: 'var(--ts-ink-muted)', lineHeight: 0 }}>
          {icon}
        </span>
      )}
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
