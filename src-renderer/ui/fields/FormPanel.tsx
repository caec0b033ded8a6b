import { Stack } from '@mantine/core';
import { type ReactNode, type RefObject, useId } from 'react';
import { Action, submitting } from './controls.tsx';
import { SidePanel } from '../panels/panels.tsx';

interface FormPanelProps {
  title: string;
  saveLabel: string;
  saving: boolean;
  onSubmit: () => void;
  onClose: () => void;
  formRef?: RefObject<HTMLFormElement | null>;
  children: ReactNode;
}

/** A form in the side panel. Its save button stays in view. */
export function FormPanel(props: FormPanelProps) {
  const { title, saveLabel, saving, onSubmit, onClose, formRef, children } = props;
  const id = useId();
  return (
    <SidePanel
      title={title}
      onClose={onClose}
      footer={
        <>
          <Action label={saveLabel} filled type="submit" form={id} loading={saving} />
          <Action label="Cancel" onClick={onClose} />
        </>
      }
    >
      <form ref={formRef} id={id} noValidate {...submitting(onSubmit)}>
        <Stack gap="lg">{children}</Stack>
      </form>
    </SidePanel>
  );
}
