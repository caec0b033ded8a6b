import { Group, Stack, Text } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PlainText } from '../text/PlainText.tsx';
import classes from './Illustration.module.css';

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

/** A stack of cards with an icon on the front one: the picture of every empty state. */
function Illustration({ children }: { children: ReactNode }) {
  return (
    <span className={classes.picture} aria-hidden>
      <svg width="132" height="92" viewBox="0 0 132 92">
        <rect className={classes.back} x="22" y="6" width="88" height="56" rx="8" />
        <rect className={classes.middle} x="14" y="14" width="104" height="60" rx="8" />
        <rect className={classes.front} x="6" y="24" width="120" height="64" rx="8" />
        <path className={classes.lines} d="M66 44h44M66 56h34M66 68h40" />
        <path className={classes.streak} d="M116 24l10 10" />
      </svg>
      <span className={classes.icon}>{children}</span>
    </span>
  );
}
