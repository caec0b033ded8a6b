import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx';
import {
  type PlainParameter,
  plainTypes,
  readPlainSchema,
  writePlainSchema,
} from './plainSchema.ts';
import type { ToolEditor } from './useToolEditor.ts';

/**
 * The input schema as a form if a form can represent it, and always as JSON; the output schema as
 * JSON.
 */
export function SchemaTab({ editor }: { editor: ToolEditor }) {
  const { draft, change, problemsOf } = editor;
  const plain = readPlainSchema(draft.inputSchema);
  const [wish, setWish] = useState<'form' | 'json'>('form');
  const view = plain === null ? 'json' : wish;
  return (
    <Stack gap="lg">
      <Stack gap="sm">
        <Group gap="md">
          <SegmentedControl
            size="xs"
            aria-label="View of the input schema"
            value={view}
            data={[
              { value: 'form', label: 'Form', disabled: plain === null },
              { value: 'json', label: 'JSON' },
            ]}
            onChange={(value) => {
              setWish(value === 'form' ? 'form' : 'json');
            }}
          />
          {plain === null && (
            <Text size="sm" c="dimmed">
              The form supports simple parameters only. Edit this schema as JSON.
            </Text>
          )}
        </Group>
        {view === 'form' && plain !== null ? (
          <ParameterRows
            parameters={plain}
            onChange={(parameters) => {
              change({ inputSchema: writePlainSchema(draft.inputSchema, parameters) });
            }}
          />
        ) : (
          <CodeEditor
            label="Input schema"
            description="JSON Schema, 2020-12 unless $schema says draft-07."
            language="json"
            value={draft.inputSchema}
            onChange={(inputSchema) => {
              change({ inputSchema });
            }}
            problems={problemsOf('inputSchema')}
          />
        )}
      </Stack>
      <CodeEditor
        label="Output schema"
        description="Every result is checked against it. If empty, nothing is checked."
        language="json"
        height={200}
        value={draft.outputSchema}
        onChange={(outputSchema) => {
          change({ outputSchema });
        }}
        problems={problemsOf('outputSchema')}
      />
    </Stack>
  );
}

interface ParameterRowsProps {
  parameters: readonly PlainParameter[];
  onChange: (parameters: PlainParameter[]) => void;
}

function ParameterRows({ parameters, onChange }: ParameterRowsProps) {
  const set = (index: number, part: Partial<PlainParameter>): void => {
    onChange(parameters.map((row, at) => (at === index ? { ...row, ...part } : row)));
  };
  const free = (): string => {
    let number = parameters.length + 1;
    while (parameters.some(({ name }) => name === `parameter_${number}`)) number += 1;
    return `parameter_${number}`;
  };
  return (
    <Stack gap="xs" role="group" aria-label="Parameters">
      {parameters.map((row, index) => (
        <Group key={index} gap="sm" wrap="nowrap" align="end">
          <TextInput
            w={200}
            label={index === 0 ? 'Parameter' : undefined}
            aria-label={`Name of parameter ${index + 1}`}
            value={row.name}
            error={parameters.some(({ name }, at) => at !== index && name === row.name)}
            styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
            onChange={(event) => {
              const name = event.currentTarget.value;
              // Two parameters with the same name would be merged, and one would be lost.
              if (!parameters.some((other, at) => at !== index && other.name === name))
                set(index, { name });
            }}
          />
          <Select
            w={120}
            label={index === 0 ? 'Type' : undefined}
            aria-label={`Type of parameter ${index + 1}`}
            allowDeselect={false}
            data={[...plainTypes]}
            value={row.type}
            onChange={(type) => {
              set(index, { type: plainTypes.find((each) => each === type) ?? 'string' });
            }}
          />
          <TextInput
            style={{ flex: 1 }}
            label={index === 0 ? 'Description' : undefined}
            aria-label={`Description of parameter ${index + 1}`}
            value={row.description}
            onChange={(event) => {
              set(index, { description: event.currentTarget.value });
            }}
          />
          <Checkbox
            pb={8}
            label="Required"
            aria-label={`Parameter ${index + 1} is required`}
            checked={row.required}
            onChange={(event) => {
              set(index, { required: event.currentTarget.checked });
            }}
          />
          <ActionIcon
            mb={4}
            variant="subtle"
            color="gray"
            aria-label={`Remove parameter ${row.name}`}
            onClick={() => {
              onChange(parameters.filter((_, at) => at !== index));
            }}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            onChange([
              ...parameters,
              { name: free(), type: 'string', description: '', required: false },
            ]);
          }}
        >
          Add parameter
        </Button>
      </Group>
    </Stack>
  );
}
