import { Input, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AddButton } from '../fields/RowButtons.tsx';
import { PlainText } from '../text/PlainText.tsx';
import type { ArgumentInputProps } from './ArgumentInput.tsx';
import { descriptionOf } from './argumentFields.ts';

interface FieldRowsProps extends Pick<ArgumentInputProps, 'field' | 'problem'> {
  onAdd: () => void;
  children: ReactNode;
}

/** A parameter with a row for each of its parts. */
export function FieldRows({ field, problem, onAdd, children }: FieldRowsProps) {
  const description = descriptionOf(field);
  return (
    <Stack gap="xs" role="group" aria-label={field.name}>
      <div>
        <Text size="sm" fw={500} className="ts-mono" component="span">
          <PlainText text={field.name} />
        </Text>
        {description !== null && (
          <p className="ts-hint">
            <PlainText text={description} />
          </p>
        )}
      </div>
      {children}
      <AddButton label={`Add to ${field.name}`} onClick={onAdd} />
      {problem !== undefined && <Input.Error>{problem}</Input.Error>}
    </Stack>
  );
}
