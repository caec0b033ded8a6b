import { Switch } from '@mantine/core';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { EditRows } from './EditRows.tsx';
import { ExpectedArgument } from './ExpectedArgument.tsx';
import { JsonField } from './JsonField.tsx';
import { MatcherHelp } from './MatcherHelp.tsx';
import type { StubForm } from './taskForm.ts';
import type { TaskPartProps } from './taskPart.ts';
import { ToolPicker } from './ToolPicker.tsx';
import { held, ticked } from '../../ui/fields/controls.tsx';

const emptyCall = { row: 0, tool: '', arguments: '{}' };
const emptyStub: StubForm = { ...emptyCall, always: true, result: '', isError: false };

/** Calls that prepare the servers before the first turn, or those that do what the user asks for. */
export function CallList(props: TaskPartProps & { list: 'setup' | 'solution' }) {
  const { form, problems, choices, onChange, list } = props;
  return (
    <EditRows
      label={list === 'setup' ? 'Setup call' : 'Solution call'}
      rows={form[list]}
      empty={emptyCall}
      onRows={(rows) => onChange({ [list]: rows })}
    >
      {(call, index, set) => (
        <>
          <ToolPicker
            label={`Tool of ${list} call ${index + 1}`}
            choices={choices}
            {...held(call.tool, (tool) => set({ tool }), problems[`${list}.${index}.tool`])}
          />
          <ArgumentsEditor
            label={`Arguments of ${list} call ${index + 1}`}
            schema={choices.schemaOf(call.tool)}
            text={call.arguments}
            error={problems[`${list}.${index}.arguments`]}
            onText={(text) => set({ arguments: text })}
          />
        </>
      )}
    </EditRows>
  );
}

/** What answers the calls of tools while nothing is executed. */
export function StubResults({ form, problems, choices, onChange }: TaskPartProps) {
  return (
    <EditRows
      label="Stub result"
      rows={form.stubs}
      empty={emptyStub}
      onRows={(stubs) => onChange({ stubs })}
    >
      {(stub, index, set) => (
        <>
          <ToolPicker
            label={`Tool of stub result ${index + 1}`}
            choices={choices}
            {...held(stub.tool, (tool) => set({ tool }), problems[`stubs.${index}.tool`])}
          />
          <Switch
            label="Answers every call of the tool"
            {...ticked(stub.always, (always) => set({ always }))}
          />
          {!stub.always && (
            <ArgumentsEditor
              label={`Arguments that stub result ${index + 1} answers`}
              schema={choices.schemaOf(stub.tool)}
              text={stub.arguments}
              error={problems[`stubs.${index}.arguments`]}
              Field={ExpectedArgument}
              aside={<MatcherHelp />}
              onText={(text) => set({ arguments: text })}
            />
          )}
          <JsonField
            label={`Result ${index + 1}`}
            description='The JSON value that the model receives, such as {"id": 7} or "Done".'
            text={stub.result}
            error={problems[`stubs.${index}.result`]}
            onText={(result) => set({ result })}
          />
          <Switch
            label="The result is an error"
            {...ticked(stub.isError, (isError) => set({ isError }))}
          />
        </>
      )}
    </EditRows>
  );
}
