import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { ToolProblem } from '../../../src-shared/domain/workshop.ts';
import { readObject } from '../../ui/arguments/argumentFields.ts';
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx';
import { Notice } from '../../ui/notices/notices.tsx';
import { type Noun, PropertyRows } from './SchemaForm.tsx';
import { keptKeywords } from './schemaForm.ts';
import type { ToolEditor } from './useToolEditor.ts';

/** The schemas of a tool. */
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
