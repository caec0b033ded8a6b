import { Box, Group, Input, SegmentedControl, Select, Stack, Text, Textarea } from '@mantine/core';
import { type ReactElement, type ReactNode, useState } from 'react';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { ArgumentInput, type ArgumentInputProps } from './ArgumentInput.tsx';
import {
  argumentFields,
  fitsVariant,
  newItemOf,
  readJson,
  readObject,
  textWithDrafts,
  variantName,
  withArgument,
} from './argumentFields.ts';
import { ListField, MapField } from './RowFields.tsx';
import { options } from '../fields/controls.tsx';

interface ArgumentsEditorProps {
  label: string;
  /** True below a heading of this name. */
  isTitled?: boolean;
  description?: string;
  /** Null if the schema of the tool is not known: then only JSON is offered. */
  schema: JsonObject | null;
  /** The JSON text of the whole object. The form is a view of it. */
  text: string;
  error?: string | null | undefined;
  /** What is wrong with single parameters, by their path: `place.city`. */
  problems?: Readonly<Record<string, string>>;
  onText: (text: string) => void;
  /** Shown to the right of the JSON text. */
  aside?: ReactNode;
  /** Describes members that the schema doesn't list. */
  furtherHint?: string;
  /** Draws one parameter; by default an input of its value. */
  Field?: (props: ArgumentInputProps) => ReactElement;
}

/** The arguments of a tool as a form made from its schema, or as JSON. */
export function ArgumentsEditor({
  label,
  isTitled = false,
  description,
  schema,
  text,
  error,
  problems = {},
  onText,
  aside,
  furtherHint,
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
          {!isTitled && (
            <Text size="sm" fw={500}>
              {label}
            </Text>
          )}
          {description !== undefined && <p className="ts-hint">{description}</p>}
        </div>
        {schema !== null && hasFields && (
          <SegmentedControl
            style={{ flexShrink: 0 }}
            aria-label={`View of ${label}`}
            value={form ? 'form' : 'json'}
            data={options({ form: 'Form', json: 'JSON' })}
            onChange={(view) => {
              setAsJson(view === 'json');
              if (read !== null) setDrafts({});
            }}
          />
        )}
      </Group>
      {form ? (
        <>
          {argumentFields(schema, value, furtherHint).map((field) => {
            const props: ArgumentInputProps = {
              field,
              value: value[field.name],
              draft: drafts[field.name],
              problem: problems[field.name],
              onValue: (member) => write(withArgument(value, field.name, member), drafts),
              onDraft: (typed) => {
                const next =
                  typed.trim() === '' ? withArgument(value, field.name, undefined) : value;
                write(next, { ...drafts, [field.name]: typed });
              },
            };
            return Field === ArgumentInput ? (
              <ValueField
                key={field.name}
                {...props}
                problems={problemsWithin(problems, field.name)}
              />
            ) : (
              <Field key={field.name} {...props} />
            );
          })}
          {error != null && <Input.Error>{error}</Input.Error>}
        </>
      ) : (
        <>
          <Textarea
            aria-label={`${label} as JSON`}
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

type ValueFieldProps = ArgumentInputProps & { problems: Readonly<Record<string, string>> };

/** One parameter, as a form of its own where its value is an object or an array that can have one. */
function ValueField({ problems, ...props }: ValueFieldProps) {
  const { field, value } = props;
  if (field.members !== null && (value === undefined || isJsonObject(value)))
    return <ObjectField {...props} members={field.members} problems={problems} />;
  if (field.variants !== null && (value === undefined || isJsonObject(value)))
    return <VariantField {...props} variants={field.variants} problems={problems} />;
  const within = props.problem ?? Object.values(problems)[0];
  if (field.isMap && (value === undefined || isTextMap(value)) && props.draft === undefined)
    return <MapField {...props} problem={within} />;
  const { items } = field;
  if (field.kind !== 'json' || items === null || !(value === undefined || Array.isArray(value)))
    return <ArgumentInput {...props} />;
  return (
    <ListField
      {...props}
      problem={Object.keys(problems).length > 0 ? undefined : props.problem}
      newItem={JSON.stringify(newItemOf(items))}
      drawItem={({ label, index, text, onText }) => (
        <ItemField
          label={label}
          items={items}
          text={text}
          problem={problems[index]}
          problems={problemsWithin(problems, String(index))}
          onText={onText}
        />
      )}
    />
  );
}

function isTextMap(value: JsonValue): boolean {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

interface ItemFieldProps {
  label: string;
  items: JsonObject;
  text: string;
  problem: string | undefined;
  problems: Readonly<Record<string, string>>;
  onText: (text: string) => void;
}

function ItemField({ label, items, text, problem, problems, onText }: ItemFieldProps) {
  const read = readJson(text);
  // A number that was cleared is null until another one is typed.
  const value = read === null ? undefined : read;
  const [field] = argumentFields(
    { properties: { [label]: items }, required: [label] },
    value === undefined ? {} : { [label]: value },
  );
  if (field === undefined) return null;
  return (
    <ValueField
      field={field}
      value={value}
      draft={read === undefined ? text : undefined}
      problem={problem}
      problems={problems}
      nameless={label}
      onValue={(next) => onText(JSON.stringify(next ?? null))}
      onDraft={onText}
    />
  );
}

/**
 * A parameter that is an object, as a form in the form. An optional object without members is left
 * out.
 */
function ObjectField(
  props: ArgumentInputProps & { members: JsonObject; problems: Readonly<Record<string, string>> },
) {
  const { field, value, draft, problem, members, problems, onDraft } = props;
  return (
    <Box pl="md" style={{ borderInlineStart: '2px solid var(--mantine-color-default-border)' }}>
      <ArgumentsEditor
        label={field.name}
        {...(field.description === null ? {} : { description: field.description.slice(0, 400) })}
        schema={members}
        text={draft ?? JSON.stringify(value ?? {}, null, 2)}
        error={problem}
        problems={problems}
        onText={(text) => {
          const read = readObject(text);
          const empty = read !== null && Object.keys(read).length === 0;
          onDraft(empty && !field.required ? '' : text);
        }}
      />
    </Box>
  );
}

/** A parameter that is one of several objects: which one, and its form. */
function VariantField({ variants, ...props }: ValueFieldProps & { variants: JsonObject[] }) {
  const { field, value, draft, onDraft } = props;
  const [chosen, setChosen] = useState(0);
  const given = readObject(draft ?? JSON.stringify(value ?? {})) ?? {};
  const fitting = variants.findIndex((variant) => fitsVariant(variant, given));
  // What is typed so far may fit none yet, or the first of two.
  const at = fitting === -1 || fitsVariant(variants[chosen] ?? {}, given) ? chosen : fitting;
  return (
    <Stack gap="xs">
      <Select
        label={`Kind of ${field.name}`}
        data={variants.map((variant, index) => ({
          value: String(index),
          label: variantName(variant),
        }))}
        value={String(at)}
        onChange={(next) => {
          if (next === null || Number(next) === at) return;
          setChosen(Number(next));
          onDraft('{}');
        }}
      />
      <ObjectField key={at} {...props} members={variants[at] ?? {}} />
    </Stack>
  );
}

/** The problems below one parameter, by their path from there. */
export function problemsWithin(
  problems: Readonly<Record<string, string>>,
  name: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(problems).flatMap(([path, text]) =>
      path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), text]] : [],
    ),
  );
}
