import { Stack, Switch } from '@mantine/core';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { EditRow } from './EditRow.tsx';
import { ExpectedArgument } from './ExpectedArgument.tsx';
import { JsonField } from './JsonField.tsx';
import { MatcherHelp } from './MatcherHelp.tsx';
import { nextRow, type StubForm, type ToolCallForm } from './taskForm.ts';
import type { TaskPartProps } from './taskPart.ts';
import { ToolPicker } from './ToolPicker.tsx';
import { AddButton } from '../../ui/fields/Action.tsx';
import { ticked } from '../../ui/fields/typed.ts';

/** Calls that prepare the servers before the first turn, or those that do what the user asks for. */
export function CallList(props: TaskPartProps & { list: 'setup' | 'solution' }) {
  const { form, problems, choices, onChange, list } = props;
  const calls = form[list];
  const change = (row: number, part: Partial<ToolCallForm>): void =>
    onChange({ [list]: calls.map((call) => (call.row === row ? { ...call, ...part } : call)) });
  return (
    <Stack gap="sm">
      {calls.map((call, index) => (
        <EditRow
          key={call.row}
          label={`${list === 'setup' ? 'Setup' : 'Solution'} call ${index + 1}`}
          onRemove={() => onChange({ [list]: calls.filter(({ row }) => row !== call.row) })}
        >
          <ToolPicker
            label={`Tool of ${list} call ${index + 1}`}
            value={call.tool}
            choices={choices}
            error={problems[`${list}.${index}.tool`]}
            onChange={(tool) => change(call.row, { tool })}
          />
          <ArgumentsEditor
            label={`Arguments of ${list} call ${index + 1}`}
            schema={choices.schemaOf(call.tool)}
            text={call.arguments}
            error={problems[`${list}.${index}.arguments`]}
            onText={(text) => change(call.row, { arguments: text })}
          />
        </EditRow>
      ))}
      <AddButton
        label={`Add ${list} call`}
        onClick={() => {
          const row = nextRow(calls);
          onChange({ [list]: [...calls, { row, tool: '', arguments: '{}' }] });
        }}
      />
    </Stack>
  );
}

/** What answers the calls of tools while nothing is executed. */
export function StubResults({ form, problems, choices, onChange }: TaskPartProps) {
  const { stubs } = form;
  const change = (row: number, part: Partial<StubForm>): void =>
    onChange({ stubs: stubs.map((stub) => (stub.row === row ? { ...stub, ...part } : stub)) });
  return (
    <Stack gap="sm">
      {stubs.map((stub, index) => (
        <EditRow
          key={stub.row}
          label={`Stub result ${index + 1}`}
          onRemove={() => onChange({ stubs: stubs.filter(({ row }) => row !== stub.row) })}
        >
          <ToolPicker
            label={`Tool of stub result ${index + 1}`}
            value={stub.tool}
            choices={choices}
            error={problems[`stubs.${index}.tool`]}
            onChange={(tool) => change(stub.row, { tool })}
          />
          <Switch
            label="Answers every call of the tool"
            {...ticked(stub.always, (always) => change(stub.row, { always }))}
          />
          {!stub.always && (
            <ArgumentsEditor
              label={`Arguments that stub result ${index + 1} answers`}
              schema={choices.schemaOf(stub.tool)}
              text={stub.arguments}
              error={problems[`stubs.${index}.arguments`]}
              Field={ExpectedArgument}
              aside={<MatcherHelp />}
              onText={(text) => change(stub.row, { arguments: text })}
            />
          )}
          <JsonField
            label={`Result ${index + 1}`}
            description='The JSON value that the model receives, such as {"id": 7} or "Done".'
            text={stub.result}
            error={problems[`stubs.${index}.result`]}
            onText={(result) => change(stub.row, { result })}
          />
          <Switch
            label="The result is an error"
            {...ticked(stub.isError, (isError) => change(stub.row, { isError }))}
          />
        </EditRow>
      ))}
      <AddButton
        label="Add stub result"
        onClick={() => {
          const row = nextRow(stubs);
          const call = { row, tool: '', arguments: '{}' };
          onChange({ stubs: [...stubs, { ...call, always: true, result: '', isError: false }] });
        }}
      />
    </Stack>
  );
}
