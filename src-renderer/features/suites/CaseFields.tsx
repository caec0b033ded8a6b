import { Checkbox, Group, Radio, Stack, Switch, TagsInput, Textarea, Paper } from '@mantine/core';
import { ArgumentsModeField } from '../../ui/fields/ArgumentsModeField.tsx';
import { Fold } from '../../ui/panels/panels.tsx';
import { allOwn, type CallForm, type CaseForm, type CaseProblems, emptyCall } from './caseForm.ts';
import { NameField, OptionFields } from './SharedFields.tsx';
import { PriorMessages } from './PriorMessages.tsx';
import type { ToolChoices } from './useToolChoices.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import { Action, AddButton, RemoveButton, held, ticked, typed } from '../../ui/fields/controls.tsx';
import { IconPlus } from '@tabler/icons-react';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { ExpectedArgument } from './ExpectedArgument.tsx';
import { MatcherHelp } from './MatcherHelp.tsx';
import { ToolPicker } from './ToolPicker.tsx';

interface CaseFieldsProps {
  form: CaseForm;
  problems: CaseProblems;
  choices: ToolChoices;
  /** Tags of other cases in the suite. */
  knownTags: string[];
  onChange: (part: Partial<CaseForm>) => void;
}

/** A case as a form: which tool, the request, and what else is known about it. */
export function CaseFields({ form, problems, choices, knownTags, onChange }: CaseFieldsProps) {
  const hidden = ['tags', 'servers', 'allowed', 'key'].some((field) => field in problems);
  return (
    <Stack gap="lg">
      <Expectation form={form} problems={problems} choices={choices} onChange={onChange} />
      <Textarea
        label="Query"
        description="What a user would type. The model sees exactly this text."
        required
        minRows={2}
        maxRows={10}
        // After “Save and next”, the tool is chosen already.
        autoFocus={
          form.query === '' && form.calls.some(({ tools }) => tools.some((id) => id !== ''))
        }
        {...typed(form.query, (query) => onChange({ query }), problems['query'])}
      />
      <NameField form={form} problems={problems} onChange={onChange} said={form.query} of="query" />
      <Fold
        title="More options"
        hint="Tags, servers, allowed calls, arguments mode, earlier messages, note, key"
        openFirst={hidden}
      >
        <MoreFields
          form={form}
          problems={problems}
          choices={choices}
          knownTags={knownTags}
          onChange={onChange}
        />
      </Fold>
    </Stack>
  );
}

function Expectation({ form, problems, choices, onChange }: Omit<CaseFieldsProps, 'knownTags'>) {
  const changeCall = (row: number, part: Partial<CallForm>): void =>
    onChange({ calls: form.calls.map((call) => (call.row === row ? { ...call, ...part } : call)) });
  const addCall = (): void => {
    const row = Math.max(-1, ...form.calls.map((call) => call.row)) + 1;
    onChange({ decided: true, calls: [...form.calls, { ...emptyCall, row }] });
  };
  const chosen = form.calls.length > 0 ? 'tool' : form.decided ? 'none' : null;
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Which tool should be called?"
        value={chosen}
        error={problems['calls']}
        onChange={(value) => {
          if (value === 'tool') addCall();
          else onChange({ decided: true, calls: [] });
        }}
      >
        <Group gap="lg" mt={6}>
          <Radio value="tool" label="A tool" />
          <Radio value="none" label="No tool should be called" />
        </Group>
      </Radio.Group>
      {form.calls.map((call, index) => (
        <CallFields
          key={call.row}
          call={call}
          index={index}
          choices={choices}
          toolsProblem={problems[`calls.${index}.tools`]}
          ownProblem={(at) => problems[`calls.${index}.own.${at}`]}
          parametersProblem={problems[`calls.${index}.parameters`]}
          autoFocus={form.calls.length === 1}
          onChange={(part) => changeCall(call.row, part)}
          onRemove={() => onChange({ calls: form.calls.filter((other) => other.row !== call.row) })}
        />
      ))}
      {form.calls.length > 0 && <AddButton label="Add another call" onClick={addCall} />}
      {form.calls.length > 1 && (
        <Switch
          label="In this order"
          description="The first call the model makes is compared with the first expected call, and so on."
          {...ticked(form.orderDependent, (orderDependent) => onChange({ orderDependent }))}
        />
      )}
    </Stack>
  );
}

function MoreFields(props: CaseFieldsProps) {
  const { form, problems, choices, onChange } = props;
  return (
    <Stack gap="lg">
      <OptionFields {...props} unit="case">
        <TagsInput
          label="Also allowed"
          description="Calls of these tools are ignored, such as a lookup before the action."
          data={choices.groups}
          splitChars={[]}
          {...held(form.allowed, (allowed) => onChange({ allowed }), problems['allowed'])}
        />
        <ArgumentsModeField
          value={form.argumentsMode}
          inherited="As in the suite"
          onChange={(argumentsMode) => onChange({ argumentsMode })}
        />
        <Textarea
          label="System prompt"
          description="If empty, the suite's."
          maxRows={10}
          {...typed(form.system, (system) => onChange({ system }))}
        />
        <PriorMessages
          description="A conversation that is sent before this query. If empty, the suite's."
          messages={form.messages}
          onChange={(messages) => onChange({ messages })}
        />
        <Textarea
          label="Note"
          description="Kept with the case. No model sees it."
          maxRows={6}
          {...typed(form.note, (note) => onChange({ note }))}
        />
      </OptionFields>
      {form.stubResults.length > 0 && (
        <p className="ts-quiet">
          This case has {counted(form.stubResults.length, 'stub result')} from its file. They are
          kept.
        </p>
      )}
    </Stack>
  );
}

interface CallFieldsProps {
  call: CallForm;
  index: number;
  choices: ToolChoices;
  toolsProblem: string | undefined;
  /** Of the arguments that one of several tools has of its own. */
  ownProblem: (at: number) => string | undefined;
  parametersProblem: string | undefined;
  autoFocus: boolean;
  onChange: (part: Partial<CallForm>) => void;
  onRemove: () => void;
}

/** One expected call: the tool, or several alternatives, and how its arguments are compared. */
function CallFields(props: CallFieldsProps) {
  const { call, index, choices, toolsProblem, parametersProblem, autoFocus, onChange } = props;
  const { ownProblem, onRemove } = props;
  const number = index + 1;
  const tools = call.tools.length === 0 ? [''] : call.tools;
  const changeTool = (at: number, id: string): void =>
    onChange({ tools: tools.map((tool, place) => (place === at ? id : tool)) });
  const ownOf = (at: number): string | null => call.own[at] ?? null;
  const [shared = ''] = tools.filter((_tool, at) => ownOf(at) === null);
  const schema = shared === '' ? null : choices.schemaOf(shared);
  const hasOwn = tools.some((_tool, at) => ownOf(at) !== null);
  const changeOwn = (at: number, text: string | null): void =>
    onChange({ own: tools.map((_tool, place) => (place === at ? text : ownOf(place))) });
  return (
    <Paper withBorder p="md" role="group" aria-label={`Expected call ${number}`}>
      <Stack gap="md">
        {tools.map((tool, at) => (
          <Stack key={at} gap="xs">
            <Group align="flex-end" gap="xs" wrap="nowrap">
              <div style={{ flex: 1, minWidth: 0 }}>
                <ToolPicker
                  label={at === 0 ? `Tool of call ${number}` : 'Or this tool'}
                  choices={choices}
                  autoFocus={autoFocus && at === 0 && tool === ''}
                  {...held(tool, (id) => changeTool(at, id), at === 0 ? toolsProblem : undefined)}
                />
              </div>
              <RemoveButton
                label={at === 0 ? `Remove expected call ${number}` : `Remove alternative ${tool}`}
                size="lg"
                onClick={() => {
                  if (at === 0) onRemove();
                  else
                    onChange({
                      tools: tools.filter((_tool, place) => place !== at),
                      own: call.own.filter((_text, place) => place !== at),
                    });
                }}
              />
            </Group>
            {(tools.length > 1 || ownOf(at) !== null) && (
              <Checkbox
                label={`Own arguments for ${tool === '' ? 'this tool' : tool}`}
                {...ticked(ownOf(at) !== null, (own) => changeOwn(at, own ? '{}' : null))}
              />
            )}
            {ownOf(at) !== null && (
              <ArgumentsEditor
                label={`Arguments of ${tool === '' ? 'this tool' : tool}`}
                schema={choices.schemaOf(tool)}
                text={ownOf(at) ?? '{}'}
                error={ownProblem(at)}
                Field={ExpectedArgument}
                onText={(text) => changeOwn(at, text)}
                aside={<MatcherHelp />}
              />
            )}
          </Stack>
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
        {!allOwn(call) && (
          <Radio.Group
            label={hasOwn ? 'Arguments of the other tools' : 'Arguments'}
            value={call.judged ? 'values' : 'schema'}
            onChange={(value) => onChange({ judged: value === 'values' })}
          >
            <Stack gap="xs" mt={4}>
              <Radio value="schema" label="Any arguments valid for the tool’s schema" />
              <Radio value="values" label="These arguments" />
            </Stack>
          </Radio.Group>
        )}
        {call.judged && !allOwn(call) && (
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
