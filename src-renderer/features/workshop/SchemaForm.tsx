import { Box, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Action, RemoveButton, ticked } from '../../ui/fields/controls.tsx';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { readObject } from '../../ui/arguments/argumentFields.ts';
import { Fold } from '../../ui/panels/panels.tsx';
import {
  formTypes,
  givenType,
  limitsOf,
  limitsSchema,
  limitsText,
  type Property,
  readProperties,
  typeOf,
  withKeyword,
  withLimits,
  withType,
  writeProperties,
} from './schemaForm.ts';

interface PropertyRowsProps {
  schema: JsonObject;
  /** What the properties belong to, for labels: "" for the arguments themselves. */
  path?: string;
  noun?: Noun;
  onChange: (schema: JsonObject) => void;
}

/** What a property is: an argument of the tool, or a part of its result. */
export type Noun = 'parameter' | 'property';

/** The properties of an object schema, each with a row that opens to its limits. */
export function PropertyRows(props: PropertyRowsProps) {
  const { schema, path = '', noun = 'parameter', onChange } = props;
  const properties = readProperties(schema) ?? [];
  const write = (next: Property[]): void => onChange(writeProperties(schema, next));
  const set = (index: number, part: Partial<Property>): void =>
    write(properties.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const of = path === '' ? '' : ` of ${path}`;
  return (
    <Stack
      gap="xs"
      role="group"
      aria-label={`${noun === 'parameter' ? 'Parameters' : 'Properties'}${of}`}
    >
      {properties.map((row, index) => (
        <Box key={index}>
          <Group gap="sm" wrap="nowrap" align="end">
            <TextInput
              w={180}
              label={index === 0 ? (noun === 'parameter' ? 'Parameter' : 'Property') : undefined}
              aria-label={`Name of ${noun} ${index + 1}${of}`}
              value={row.name}
              styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
              onChange={(event) => {
                const name = event.currentTarget.value;
                // Two parameters with the same name would be merged, and one would be lost.
                if (!properties.some((other, at) => at !== index && other.name === name))
                  set(index, { name });
              }}
            />
            {isJsonObject(row.rules) ? (
              <TypeAndDescription
                rules={row.rules}
                what={`${noun} ${index + 1}${of}`}
                labeled={index === 0}
                onChange={(rules) => set(index, { rules })}
              />
            ) : (
              <Text size="sm" c="dimmed" flex={1} pb={8}>
                {row.rules === true ? 'Any value. ' : ''}Edit it as JSON.
              </Text>
            )}
            <Checkbox
              pb={8}
              label="Required"
              aria-label={`${noun === 'parameter' ? 'Parameter' : 'Property'} ${index + 1}${of} is required`}
              {...ticked(row.required, (required) => set(index, { required }))}
            />
            <RemoveButton
              label={`Remove ${noun} ${row.name}${of}`}
              mb={4}
              onClick={() => write(properties.filter((_, at) => at !== index))}
            />
          </Group>
          {isJsonObject(row.rules) && (
            <Details
              rules={row.rules}
              path={path === '' ? row.name : `${path}.${row.name}`}
              noun={noun}
              onChange={(rules) => set(index, { rules })}
            />
          )}
        </Box>
      ))}
      <Group>
        <Action
          label={path === '' ? `Add ${noun}` : `Add ${noun} to ${path}`}
          size="xs"
          icon={IconPlus}
          onClick={() =>
            write([
              ...properties,
              { name: freeName(properties, noun), required: false, rules: { type: 'string' } },
            ])
          }
        />
      </Group>
    </Stack>
  );
}

function freeName(properties: readonly Property[], noun: Noun): string {
  let number = properties.length + 1;
  while (properties.some(({ name }) => name === `${noun}_${number}`)) number += 1;
  return `${noun}_${number}`;
}

interface RulesProps {
  rules: JsonObject;
  onChange: (rules: JsonObject) => void;
}

function TypeAndDescription(props: RulesProps & { what: string; labeled: boolean }) {
  const { rules, what, labeled, onChange } = props;
  const description = rules['description'];
  return (
    <>
      <Select
        w={150}
        label={labeled ? 'Type' : undefined}
        aria-label={`Type of ${what}`}
        data={typeOf(rules) === null ? [...formTypes, givenType(rules)] : [...formTypes]}
        value={typeOf(rules) ?? givenType(rules)}
        onChange={(type) => {
          const next = formTypes.find((each) => each === type);
          if (next !== undefined && next !== typeOf(rules)) onChange(withType(rules, next));
        }}
      />
      <TextInput
        style={{ flex: 1 }}
        label={labeled ? 'Description' : undefined}
        aria-label={`Description of ${what}`}
        value={typeof description === 'string' ? description : ''}
        onChange={(event) => {
          const text = event.currentTarget.value;
          onChange(withKeyword(rules, 'description', text === '' ? undefined : text));
        }}
      />
    </>
  );
}

/** The limits of one value, and what is inside it if it is an object or an array. */
function Details({ rules, path, noun, onChange }: RulesProps & { path: string; noun: Noun }) {
  const type = typeOf(rules);
  const items = rules['items'] ?? {};
  const isFull = type === 'object' && readProperties(rules) !== null;
  return (
    <Stack gap="xs" pl="md" mt={4}>
      <Fold
        title={<span className="ts-foreign">Default and limits of {path}</span>}
        hint={limitsText(rules) ?? 'None'}
      >
        <ArgumentsEditor
          label={`Default and limits of ${path}`}
          schema={limitsSchema(rules)}
          furtherHint="Kept as JSON: the form has no field for it."
          text={JSON.stringify(limitsOf(rules))}
          onText={(text) => {
            const limits = readObject(text);
            if (limits !== null) onChange(withLimits(rules, limits));
          }}
        />
      </Fold>
      {isFull && <PropertyRows schema={rules} path={path} noun={noun} onChange={onChange} />}
      {type === 'array' && isJsonObject(items) && (
        <>
          <Group gap="sm" wrap="nowrap" align="end">
            <TypeAndDescription
              rules={items}
              what={`the items of ${path}`}
              labeled
              onChange={(next) => onChange(withKeyword(rules, 'items', next))}
            />
          </Group>
          <Details
            rules={items}
            path={`items of ${path}`}
            noun={noun}
            onChange={(next) => onChange(withKeyword(rules, 'items', next))}
          />
        </>
      )}
    </Stack>
  );
}
