import { Group, Input, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { type ReactElement, type ReactNode, useState } from 'react';
import type { JsonObject } from './json.ts';
import { ArgumentInput, type ArgumentInputProps } from './ArgumentInput.tsx';
import { argumentFields, readObject, textWithDrafts, withArgument } from './argumentFields.ts';

interface ArgumentsEditorProps {
  label: string;
  description?: string;
  /** Null if the schema of the tool is not known: then only JSON is offered. */
  schema: JsonObject | null;
  /** The JSON text of the whole object. The form is a view of it. */
  text: string;
  error?: string | null | undefined;
  onText: (text: string) => void;
  /** Shown to the right of the JSON text. */
  aside?: ReactNode;
  /** Draws one parameter; by default an input of its value. */
  Field?: (props: ArgumentInputProps) => ReactElement;
}

/** The arguments of a tool as a form made from its schema, or as JSON. */
export function ArgumentsEditor({
  label,
  description,
  schema,
  text,
  error,
  onText,
  aside,
  Field = ArgumentInput,
}: ArgumentsEditorProps) {
  const [drafts, setDrafts] = useState<Record<string, string>>({});
  const [asJson, setAsJson] = useState(false);
  const [last, setLast] = useState<JsonObject>(() => readObject(text) ?? {});
  const read = readObject(text);
  const value = read ?? last;
  const hasFields =
    schema !== null && (argumentFields(schema, {}).length > 0 || Object.keys(value).length > 0);
  // Invalid text stays in the JSON view until it is valid again.
  const form =
    schema !== null && hasFields && !asJson && (read !== null || Object.keys(drafts).length > 0);

  const write = (next: JsonObject, nextDrafts: Record<string, string>): void => {
    setLast(next);
    setDrafts(nextDrafts);
    onText(textWithDrafts(next, nextDrafts));
  };
  return (
    <Stack gap="sm" role="group" aria-label={label}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text size="sm" fw={500}>
            {label}
          </Text>
          {description !== undefined && (
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          )}
        </div>
        {schema !== null && hasFields && (
          <SegmentedControl
            size="xs"
            aria-label={`View of ${label}`}
            value={form ? 'form' : 'json'}
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            onChange={(view) => {
              setAsJson(view === 'json');
              if (read !== null) setDrafts({});
            }}
          />
        )}
      </Group>
      {form ? (
        <>
          {argumentFields(schema, value).map((field) => (
            <Field
              key={field.name}
              field={field}
              value={value[field.name]}
              draft={drafts[field.name]}
              onValue={(member) => {
                write(withArgument(value, field.name, member), drafts);
              }}
              onDraft={(typed) => {
                const next =
                  typed.trim() === '' ? withArgument(value, field.name, undefined) : value;
                write(next, { ...drafts, [field.name]: typed });
              }}
            />
          ))}
          {error != null && <Input.Error>{error}</Input.Error>}
        </>
      ) : (
        <>
          <Textarea
            aria-label={`${label} as JSON`}
            autosize
            minRows={4}
            maxRows={16}
            spellCheck={false}
            value={text}
            error={
              error ??
              (read === null && !asJson && schema !== null ? 'The form needs a JSON object.' : null)
            }
            styles={{ input: { fontFamily: 'var(--ts-mono)', fontSize: 12 } }}
            onChange={(event) => {
              setDrafts({});
              onText(event.currentTarget.value);
            }}
          />
          {aside}
        </>
      )}
    </Stack>
  );
}
