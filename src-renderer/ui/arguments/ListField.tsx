import { Box, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { JsonValue } from './json.ts';
import type { ArgumentInputProps } from './ArgumentInput.tsx';
import { readJson } from './argumentFields.ts';
import { FieldRows } from './FieldRows.tsx';
import { RemoveButton } from '../fields/RowButtons.tsx';

interface ListFieldProps extends ArgumentInputProps {
  /** The JSON text of an item that is added. */
  newItem: string;
  /** Draws one item by its JSON text. */
  drawItem: (item: {
    label: string;
    index: number;
    text: string;
    onText: (text: string) => void;
  }) => ReactNode;
}

/** A parameter that is an array, with a form for each item. An optional empty one is left out. */
export function ListField(props: ListFieldProps) {
  const { field, value, draft, problem, newItem, drawItem, onDraft } = props;
  const read = readJson(draft === undefined || draft.trim() === '' ? undefined : draft);
  const given: JsonValue | undefined = read ?? value ?? [];
  const [typed, setTyped] = useState<string[]>([]);
  // Text that isn't JSON yet is shown as it is typed.
  const isTyping = draft !== undefined && draft.trim() !== '' && read === undefined;
  const texts =
    isTyping || !Array.isArray(given) ? typed : given.map((item) => JSON.stringify(item, null, 2));
  const write = (next: string[]): void => {
    setTyped(next);
    onDraft(next.length === 0 && !field.required ? '' : `[${next.join(', ')}]`);
  };
  return (
    <FieldRows field={field} problem={problem} onAdd={() => write([...texts, newItem])}>
      {texts.map((text, index) => (
        <Group key={index} gap="sm" wrap="nowrap" align="start">
          <Box flex={1}>
            {drawItem({
              label: `${field.name} ${index + 1}`,
              index,
              text,
              onText: (changed) =>
                write(texts.map((other, at) => (at === index ? changed : other))),
            })}
          </Box>
          <RemoveButton
            label={`Remove ${field.name} ${index + 1}`}
            mt={4}
            onClick={() => write(texts.filter((_, at) => at !== index))}
          />
        </Group>
      ))}
    </FieldRows>
  );
}
