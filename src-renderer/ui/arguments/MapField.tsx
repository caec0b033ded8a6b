import { Button, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { isJsonObject } from './json.ts';
import { PlainText } from '../text/PlainText.tsx';
import type { ArgumentInputProps } from './ArgumentInput.tsx';
import { descriptionOf } from './argumentFields.ts';
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
    <Stack gap="xs" role="group" aria-label={field.name}>
      <div>
        <Text size="sm" fw={500} className="ts-mono" component="span">
          <PlainText text={field.name} />
        </Text>
        {descriptionOf(field) !== null && (
          <Text size="xs" c="dimmed">
            <PlainText text={descriptionOf(field) ?? ''} />
          </Text>
        )}
      </div>
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
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setTyped([...entries, ['', '']])}
        >
          Add to {field.name}
        </Button>
      </Group>
      {problem !== undefined && <Input.Error>{problem}</Input.Error>}
    </Stack>
  );
}

const toObject = (entries: readonly Entry[]): Record<string, string> =>
  Object.fromEntries(entries.filter(([name]) => name !== ''));
