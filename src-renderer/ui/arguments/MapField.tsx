import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isJsonObject } from './json.ts';
import type { ArgumentInputProps } from './ArgumentInput.tsx';
import { FieldRows } from './FieldRows.tsx';
import { RemoveButton } from '../fields/RowButtons.tsx';

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
