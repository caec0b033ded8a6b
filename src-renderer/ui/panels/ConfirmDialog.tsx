import { Group, Modal, type ModalProps, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Action } from '../fields/controls.tsx';
import { ErrorNotice } from '../notices/notices.tsx';

interface ConfirmDialogProps extends Pick<ModalProps, 'title' | 'size'> {
  /** The button that goes on. */
  confirm: ReactNode;
  cancel?: string;
  /** What is done can't be undone: the focus begins on the way back. */
  danger?: boolean;
  /** The text speaks against it: the button on the way back is the one that stands out. */
  unwise?: boolean;
  disabled?: boolean;
  loading?: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something is done. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, size, confirm, cancel = 'Cancel', danger = false, unwise = false } = props;
  const { error = null, children } = props;
  return (
    <Modal opened onClose={props.onClose} title={title} {...(size !== undefined && { size })}>
      <Stack gap="md">
        {children}
        <ErrorNotice error={error} />
        <Group gap="sm">
          <Action
            label={confirm}
            filled={!unwise}
            {...(danger && { color: 'vermilion' })}
            disabled={props.disabled ?? false}
            loading={props.loading ?? false}
            onClick={props.onConfirm}
          />
          <Action
            label={cancel}
            filled={unwise}
            {...((danger || unwise) && { 'data-autofocus': true })}
            onClick={props.onClose}
          />
        </Group>
      </Stack>
    </Modal>
  );
}
