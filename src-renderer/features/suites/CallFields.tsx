import {
  ActionIcon,
  Button,
  Group,
  Paper,
  Popover,
  Radio,
  Stack,
  Table,
  TagsInput,
  Text,
} from '@mantine/core';
import { IconHelp, IconTrash } from '@tabler/icons-react';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { schemaExample } from '../../../src-shared/domain/schemaExample.ts';
import type { CallForm } from './caseForm.ts';
import { matcherHelp } from './matcherHelp.ts';
import type { ToolChoices } from './useToolChoices.ts';

interface CallFieldsProps {
  call: CallForm;
  index: number;
  choices: ToolChoices;
  toolsProblem: string | undefined;
  parametersProblem: string | undefined;
  onChange: (part: Partial<CallForm>) => void;
  onRemove: () => void;
}

/** One expected call: the tool, or several alternatives, and how its parameters are compared. */
export function CallFields({
  call,
  index,
  choices,
  toolsProblem,
  parametersProblem,
  onChange,
  onRemove,
}: CallFieldsProps) {
  const number = index + 1;
  const schema = call.tools[0] === undefined ? null : choices.schemaOf(call.tools[0]);
  return (
    <Paper withBorder p="md" role="group" aria-label={`Expected call ${number}`}>
      <Stack gap="md">
        <Group justify="space-between">
          <Text fw={600}>Expected call {number}</Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove expected call ${number}`}
            onClick={onRemove}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
        <TagsInput
          label={`Tool of call ${number}`}
          description="One tool; several where any of them is right. Written as server:tool."
          placeholder={call.tools.length === 0 ? 'Choose or type server:tool' : ''}
          data={choices.groups}
          value={call.tools}
          error={toolsProblem}
          splitChars={[]}
          acceptValueOnBlur
          maxDropdownHeight={280}
          onChange={(tools) => {
            onChange({ tools });
          }}
        />
        <Radio.Group
          label="Parameters"
          value={call.judged ? 'values' : 'schema'}
          onChange={(value) => {
            const judged = value === 'values';
            const untouched =
              judged && (call.parameters.trim() === '' || call.parameters.trim() === '{}');
            onChange({
              judged,
              ...(untouched && schema !== null
                ? { parameters: JSON.stringify(schemaExample(schema), null, 2) }
                : {}),
            });
          }}
        >
          <Stack gap="xs" mt={4}>
            <Radio value="schema" label="Whatever fits the tool’s schema" />
            <Radio value="values" label="These values" />
          </Stack>
        </Radio.Group>
        {call.judged && (
          <ArgumentsEditor
            label={`Parameters of call ${number}`}
            description="What is left out here is judged by the schema. In JSON a matcher may stand for a value."
            schema={schema}
            text={call.parameters}
            error={parametersProblem}
            onText={(parameters) => {
              onChange({ parameters });
            }}
            aside={
              <Group gap="sm">
                <MatcherHelp />
                {schema !== null && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => {
                      onChange({ parameters: JSON.stringify(schemaExample(schema), null, 2) });
                    }}
                  >
                    Fill from schema
                  </Button>
                )}
              </Group>
            }
          />
        )}
      </Stack>
    </Paper>
  );
}

function MatcherHelp() {
  return (
    <Popover width={460} position="bottom-start" withinPortal trapFocus>
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconHelp size={14} aria-hidden />}
        >
          Matchers
        </Button>
      </Popover.Target>
      <Popover.Dropdown tabIndex={-1} aria-label="Matchers">
        <Text size="sm" mb="sm">
          In place of a value, at any depth, an object of matchers may stand; several keys must all
          hold.
        </Text>
        <Table fz="xs" verticalSpacing={4}>
          <Table.Tbody>
            {matcherHelp.map((matcher) => (
              <Table.Tr key={matcher.key}>
                <Table.Td>
                  <code>{matcher.example}</code>
                </Table.Td>
                <Table.Td>{matcher.meaning}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Popover.Dropdown>
    </Popover>
  );
}
