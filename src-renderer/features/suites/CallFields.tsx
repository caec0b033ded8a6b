import { Group, Paper, Radio, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Action } from '../../ui/fields/Action.tsx';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import type { CallForm } from './caseForm.ts';
import { ExpectedArgument } from './ExpectedArgument.tsx';
import { MatcherHelp } from './MatcherHelp.tsx';
import { ToolPicker } from './ToolPicker.tsx';
import type { ToolChoices } from './useToolChoices.ts';
import { RemoveButton } from '../../ui/fields/RowButtons.tsx';

interface CallFieldsProps {
  call: CallForm;
  index: number;
  choices: ToolChoices;
  toolsProblem: string | undefined;
  parametersProblem: string | undefined;
  autoFocus: boolean;
  onChange: (part: Partial<CallForm>) => void;
  onRemove: () => void;
}

/** One expected call: the tool, or several alternatives, and how its arguments are compared. */
export function CallFields(props: CallFieldsProps) {
  const { call, index, choices, toolsProblem, parametersProblem, autoFocus, onChange } = props;
  const { onRemove } = props;
  const number = index + 1;
  const schema = call.tools[0] ? choices.schemaOf(call.tools[0]) : null;
  const tools = call.tools.length === 0 ? [''] : call.tools;
  const changeTool = (at: number, id: string): void =>
    onChange({ tools: tools.map((tool, place) => (place === at ? id : tool)) });
  return (
    <Paper withBorder p="md" role="group" aria-label={`Expected call ${number}`}>
      <Stack gap="md">
        {tools.map((tool, at) => (
          <Group key={at} align="flex-end" gap="xs" wrap="nowrap">
            <div style={{ flex: 1, minWidth: 0 }}>
              <ToolPicker
                label={at === 0 ? `Tool of call ${number}` : 'Or this tool'}
                value={tool}
                choices={choices}
                error={at === 0 ? toolsProblem : undefined}
                autoFocus={autoFocus && at === 0 && tool === ''}
                onChange={(id) => changeTool(at, id)}
              />
            </div>
            <RemoveButton
              label={at === 0 ? `Remove expected call ${number}` : `Remove alternative ${tool}`}
              size="lg"
              onClick={() => {
                if (at === 0) onRemove();
                else onChange({ tools: tools.filter((_tool, place) => place !== at) });
              }}
            />
          </Group>
        ))}
        {tools.every((tool) => tool !== '') && (
          <Group>
            <Action
              label="Accept another tool too"
              variant="subtle"
              size="compact-xs"
              icon={IconPlus}
              onClick={() => onChange({ tools: [...tools, ''] })}
            />
          </Group>
        )}
        <Radio.Group
          label="Arguments"
          value={call.judged ? 'values' : 'schema'}
          onChange={(value) => onChange({ judged: value === 'values' })}
        >
          <Stack gap="xs" mt={4}>
            <Radio value="schema" label="Any arguments valid for the tool’s schema" />
            <Radio value="values" label="These arguments" />
          </Stack>
        </Radio.Group>
        {call.judged && (
          <ArgumentsEditor
            label={`Arguments of call ${number}`}
            schema={schema}
            text={call.parameters}
            error={parametersProblem}
            Field={ExpectedArgument}
            onText={(parameters) => onChange({ parameters })}
            aside={<MatcherHelp />}
          />
        )}
      </Stack>
    </Paper>
  );
}
