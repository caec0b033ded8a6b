import { Select, Stack, Text } from '@mantine/core';
import { visibleText } from '../../ui/text/visibleText.ts';
import {
  type ColumnMap,
  type ImportColumns,
  mappedFields,
  type MappedField,
} from '../../../src-shared/contract/suites.ts';

const fieldWords: Record<MappedField, string> = {
  query: 'Query',
  tool: 'Expected tool',
  server: 'Server of the tool',
  parameters: 'Expected parameters (JSON)',
  name: 'Name',
  id: 'Key',
  tags: 'Tags',
  servers: 'Servers offered',
  expected_calls: 'Expected calls (JSON)',
  acceptable_tools: 'Equally good tools',
  forbidden_tools: 'Tools that must not be called',
  should_call: 'Whether the tool should be called',
  no_tool: 'Whether no tool should be called',
  arguments_mode: 'How parameters are compared',
  order_dependent: 'In this order',
  allowed_calls: 'Also allowed (JSON)',
  messages: 'Earlier messages',
  context: 'What the user said before',
  system: 'System prompt',
  note: 'Note',
  answer: 'Right answer',
  stub_results: 'Stub results (JSON)',
};
const common: readonly MappedField[] = ['query', 'tool', 'server', 'parameters', 'name', 'tags'];
const order = [...common, ...mappedFields.filter((field) => !common.includes(field))];

interface ColumnMapperProps {
  columns: ImportColumns;
  map: ColumnMap;
  onMap: (map: ColumnMap) => void;
}

/** Assigns the columns of a table. Unassigned columns are guessed from their names. */
export function ColumnMapper({ columns, map, onMap }: ColumnMapperProps) {
  const shown = order.filter(
    (field) =>
      common.includes(field) ||
      columns.mapped[field] !== undefined ||
      columns.names.length > common.length,
  );
  return (
    <Stack gap="xs" role="group" aria-label="Columns">
      <Text fw={600} size="sm">
        Columns
      </Text>
      <div
        style={{
          display: 'grid',
          gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))',
          gap: 12,
        }}
      >
        {shown.map((field) => (
          <Select
            key={field}
            size="xs"
            label={fieldWords[field]}
            placeholder="no column"
            clearable
            searchable
            data={[...new Set(columns.names)].filter((name) => name !== '')}
            value={map[field] ?? columns.mapped[field] ?? null}
            onChange={(name) => {
              const { [field]: _before, ...rest } = map;
              onMap(name === null ? rest : { ...rest, [field]: name });
            }}
          />
        ))}
      </div>
      {columns.unused.length > 0 && (
        <p className="ts-hint">Columns not used: {visibleText(columns.unused.join(', '))}</p>
      )}
    </Stack>
  );
}
