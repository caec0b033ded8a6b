import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFirstProblem } from '../../ui/fields/useFirstProblem.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { SidePanel } from '../../ui/panels/SidePanel.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';

interface EditPanelProps {
  noun: 'case' | 'task';
  /** The saved entry to edit; null creates a new one. */
  saved: { id: string; key: string; name: string } | null;
  edited: boolean;
  saving: boolean;
  /** Why it could not be saved. Problems of fields take its place. */
  error: unknown;
  problems: Readonly<Record<string, string>>;
  onSubmit: () => void;
  /** Closes the panel and drops unsaved edits. */
  onDiscard: () => void;
  onClose: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
  children: ReactNode;
}

/** A case or a task as a form next to its list. */
export function EditPanel({
  noun,
  saved,
  edited,
  saving,
  error,
  problems,
  onSubmit,
  onDiscard,
  onClose,
  onDuplicate,
  onDelete,
  children,
}: EditPanelProps) {
  const formElement = useFirstProblem(problems);
  const id = `${noun}-form`;
  return (
    <SidePanel
      title={`${edited ? '● ' : ''}${saved === null ? `New ${noun}` : saved.name}`}
      subtitle={
        saved === null ? undefined : (
          <>
            <span className="ts-mono">
              <PlainText text={saved.key} />
            </span>
            {edited ? ' · not saved' : ''}
          </>
        )
      }
      onClose={onClose}
      contentKey={saved?.id ?? 'new'}
      footer={
        <>
          <Button type="submit" form={id} loading={saving} disabled={saved !== null && !edited}>
            Save {noun}
          </Button>
          <Button variant="default" onClick={onDiscard}>
            {edited ? 'Discard changes' : 'Close'}
          </Button>
          {saved !== null && (
            <Group ml="auto" gap="sm" wrap="nowrap">
              {!edited && (
                <Button variant="default" onClick={onDuplicate}>
                  Duplicate
                </Button>
              )}
              <Button variant="subtle" color="vermilion" onClick={onDelete}>
                Delete
              </Button>
            </Group>
          )}
        </>
      }
    >
      <form
        ref={formElement}
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {error !== null && Object.keys(problems).length === 0 && <ErrorNotice error={error} />}
        {children}
      </form>
    </SidePanel>
  );
}
