import { Box, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { AddButton, RemoveButton } from '../fields/controls.tsx';
import { PlainText } from '../text/Foreign.tsx';
import type { ArgumentInputProps } from './ArgumentInput.tsx';
import { descriptionOf, readJson } from './argumentFields.ts';
import { isJsonObject, type JsonValue } from './json.ts';

interface FieldRowsProps extends Pick<ArgumentInputProps, 'field' | 'problem'> {
  onAdd: () => void;
  children: ReactNode;
}

/** A parameter with a row for each of its parts. */
function FieldRows({ field, problem, onAdd, children }: FieldRowsProps) {
  const description = descriptionOf(field);
  return (
    <Stack gap="xs" role="group" aria-label={field.name}>
      <div>
        <Text size="sm" fw={500} className="ts-mono" component="span">
          <PlainText text={field.name} />
        </Text>
        {description !== null && <PlainText as="p" className="ts-hint" text={description} />}
      </div>
      {children}
      <AddButton label={`Add to ${field.name}`} onClick={onAdd} />
      {problem !== undefined && <Input.Error>{problem}</Input.Error>}
    </Stack>
  );
}

interface ListFieldProps extends ArgumentInputProps {
  /** The JSON text of an item that is added. */
  newItem: string;
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

type Entry = [name: string, text: string];

/** A parameter that maps names to texts, such as headers. An optional one without any is left out. */
export function MapField({ field, value, problem, onValue }: ArgumentInputProps) {
  const given: Entry[] = isJsonObject(value)
    ? Object.entries(value).map(([name, text]) => [name, typeof text === 'string' ? text : ''])
    : [];
  const [typed, setTyped] = useState(given);
  // Rows without a name are only here. What the object says wins over the others.
  const entries =
    JSON.stringify(toObject(typed)) === JSON.stringify(Object.fromEntries(given)) ? typed : given;
  const write = (next: Entry[]): void => {
    setTyped(next);
    const object = toObject(next);
    const isEmpty = Object.keys(object).length === 0;
    onValue(isEmpty && !field.required ? undefined : object);
  };
  const set = (index: number, entry: Entry): void =>
    write(entries.map((other, at) => (at === index ? entry : other)));
  return (
    <FieldRows field={field} problem={problem} onAdd={() => setTyped([...entries, ['', '']])}>
      {entries.map(([name, text], index) => (
        <Group key={index} gap="sm" wrap="nowrap" align="start">
          <TextInput
            w={180}
            aria-label={`Name ${index + 1} of ${field.name}`}
            placeholder="name"
            value={name}
            error={
              name !== '' && entries.some(([other], at) => at < index && other === name)
                ? 'Given twice.'
                : undefined
            }
            styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
            onChange={(event) => set(index, [event.currentTarget.value, text])}
          />
          <TextInput
            flex={1}
            aria-label={`Value ${index + 1} of ${field.name}`}
            placeholder="value"
            value={text}
            styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
            onChange={(event) => set(index, [name, event.currentTarget.value])}
          />
          <RemoveButton
            label={`Remove ${name === '' ? `row ${index + 1}` : name} from ${field.name}`}
            mt={4}
            onClick={() => write(entries.filter((_, at) => at !== index))}
          />
        </Group>
      ))}
    </FieldRows>
  );
}

const toObject = (entries: readonly Entry[]): Record<string, string> =>
  Object.fromEntries(entries.filter(([name]) => name !== ''));
