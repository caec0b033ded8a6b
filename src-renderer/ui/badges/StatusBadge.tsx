import {
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconPencil,
  IconPlayerStop,
  IconX,
} from '@tabler/icons-react';
import { Loader } from '@mantine/core';
import classes from './badges.module.css';

export type StatusTone = 'good' | 'bad' | 'warning' | 'changed' | 'idle' | 'stopped' | 'busy';

const shapes = {
  good: IconCheck,
  bad: IconX,
  warning: IconAlertTriangle,
  changed: IconPencil,
  idle: IconCircleDashed,
  stopped: IconPlayerStop,
};

interface StatusBadgeProps {
  tone: StatusTone;
  label: string;
  /** Hides the word where space is short; it stays the accessible name. */
  compact?: boolean;
}

/** A state, by color, shape and word. */
export function StatusBadge({ tone, label, compact = false }: StatusBadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      <Shape tone={tone} />
      <span className={compact ? 'ts-visually-hidden' : undefined}>{label}</span>
    </span>
  );
}

function Shape({ tone }: { tone: StatusTone }) {
  if (tone === 'busy')
    return <Loader size={12} color="currentColor" aria-hidden className={classes.shape} />;
  const Icon = shapes[tone];
  return <Icon size={14} stroke={2.4} aria-hidden className={classes.shape} />;
}
