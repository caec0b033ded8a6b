import {
  Group,
  SegmentedControl,
  Stack,
  Text,
  Box,
  Checkbox,
  Select,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { type JsonObject, isJsonObject } from '../../../src-shared/domain/json.ts';
import type { ToolProblem } from '../../../src-shared/domain/workshop.ts';
import { readObject } from '../../ui/arguments/argumentFields.ts';
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx';
import { Notice } from '../../ui/notices/notices.tsx';
import {
  keptKeywords,
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
import type { ToolEditor } from './useToolEditor.ts';
import { IconPlus } from '@tabler/icons-react';
import { Action, RemoveButton, ticked, typed } from '../../ui/fields/controls.tsx';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { Fold } from '../../ui/panels/panels.tsx';

export function SchemaTab({ editor }: { editor: ToolEditor }) {
  const { draft, change, problemsOf } = editor;
  return (
    <Stack gap="xl">
      <SchemaEditor
        label="Input schema"
        description="The arguments of the tool, as JSON Schema 2020-12 or draft-07."
        noun="parameter"
        text={draft.inputSchema}
        problems={problemsOf('inputSchema')}
        onText={(inputSchema) => change({ inputSchema })}
      />
      <SchemaEditor
        label="Output schema"
        description="The results of the tool must match this schema. Without one, results aren’t checked."
        noun="property"
        text={draft.outputSchema}
        problems={problemsOf('outputSchema')}
        height={200}
        onText={(outputSchema) => change({ outputSchema })}
      />
    </Stack>
  );
}

interface SchemaEditorProps {
  label: string;
  description: string;
  text: string;
  problems: readonly ToolProblem[];
  height?: number;
  noun: Noun;
  onText: (text: string) => void;
}

/**
 * A schema as a form of its properties, and as JSON. The form names the keywords that it doesn't
 * show, and keeps them.
 */
function SchemaEditor(props: SchemaEditorProps) {
  const { label, description, text, problems, height, noun, onText } = props;
  const schema: JsonObject | null = text.trim() === '' ? { type: 'object' } : readObject(text);
  const kept = schema === null ? null : keptKeywords(schema);
  const [wish, setWish] = useState<'form' | 'json'>('form');
  const view = kept === null ? 'json' : wish;
  return (
    <Stack gap="sm">
      <Group gap="md" justify="space-between" align="flex-start">
        <div>
          <Text size="sm" fw={600}>
            {label}
          </Text>
          <p className="ts-hint">{description}</p>
        </div>
        <SegmentedControl
          aria-label={`View of the ${label.toLowerCase()}`}
          value={view}
          data={[
            { value: 'form', label: 'Form', disabled: kept === null },
            { value: 'json', label: 'JSON' },
          ]}
          onChange={(value) => setWish(value === 'form' ? 'form' : 'json')}
        />
      </Group>
      {kept === null && (
        <p className="ts-quiet">
          The form shows objects with properties only. Edit this schema as JSON.
        </p>
      )}
      {view === 'form' && schema !== null && kept !== null ? (
        <>
          {problems.length > 0 && (
            <Notice tone="danger">
              {problems.map(({ message }, index) => (
                <div key={index} className="ts-foreign">
                  {message}
                </div>
              ))}
            </Notice>
          )}
          <PropertyRows
            schema={schema}
            noun={noun}
            onChange={(next) => onText(JSON.stringify(next, null, 2))}
          />
          {kept.length > 0 && (
            <p className="ts-quiet ts-foreign">
              Not shown in this form: {kept.join(', ')}. Switch to JSON to edit{' '}
              {kept.length === 1 ? 'it' : 'them'}.
            </p>
          )}
        </>
      ) : (
        <CodeEditor
          label={label}
          language="json"
          {...(height === undefined ? {} : { height })}
          value={text}
          onChange={onText}
          problems={problems}
        />
      )}
    </Stack>
  );
}

interface PropertyRowsProps {
  schema: JsonObject;
  /** What the properties belong to, for labels: "" for the arguments themselves. */
  path?: string;
  noun?: Noun;
  onChange: (schema: JsonObject) => void;
}

/** What a property is: an argument of the tool, or a part of its result. */
type Noun = 'parameter' | 'property';

/** The properties of an object schema, each with a row that opens to its limits. */
function PropertyRows(props: PropertyRowsProps) {
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
        {...typed(typeof description === 'string' ? description : '', (text) =>
          onChange(withKeyword(rules, 'description', text === '' ? undefined : text)),
        )}
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
