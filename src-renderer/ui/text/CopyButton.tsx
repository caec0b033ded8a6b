import { type ButtonProps } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Action } from '../fields/controls.tsx';

interface CopyButtonProps extends ButtonProps {
  /** The text to copy; a function is called at the time of the click. */
  text: string | (() => string);
  label?: string;
  /** What the text is, for screen readers. */
  what?: string;
}

/** Copies text and says so in its label, so that screen readers announce it too. */
export function CopyButton({ text, label = 'Copy', what, ...rest }: CopyButtonProps) {
  const clipboard = useClipboard({ timeout: 1500 });
  const answer = clipboard.error === null ? label : 'Could not copy';
  return (
    <Action
      size="compact-xs"
      variant="subtle"
      color="gray"
      icon={clipboard.copied ? IconCheck : IconCopy}
      onClick={() => clipboard.copy(typeof text === 'function' ? text() : text)}
      c="var(--ts-ink-muted)"
      {...rest}
    >
      <span aria-live="polite">{clipboard.copied ? 'Copied' : answer}</span>
      {what !== undefined && <span className="ts-visually-hidden">&nbsp;{what}</span>}
    </Action>
  );
}
