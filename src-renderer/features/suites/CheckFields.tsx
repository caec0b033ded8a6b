import {
  Input,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { checkKindTexts } from '../../../src-shared/display/taskTexts.ts';
import { judgePromptText } from '../../../src-shared/domain/judgePromptText.ts';
import { checkKinds, type CheckKind } from '../../../src-shared/domain/checkKinds.ts';
import { Fold } from '../../ui/panels/panels.tsx';
import { CodeView } from '../../ui/text/CodeView.tsx';
import { readObject } from '../../ui/arguments/argumentFields.ts';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { emptyCheck, jsonText, valueOf, withCheckKind, type CheckForm } from './checkForm.ts';
import { EditRows } from './EditRows.tsx';
import { ExpectedArgument } from './ExpectedArgument.tsx';
import { JsonField } from './JsonField.tsx';
import { furtherSchema } from './partSchemas.ts';
import { Reading } from './Reading.tsx';
import type { ToolCallForm } from './taskForm.ts';
import type { TaskPartProps } from './taskPart.ts';
import { ToolPicker } from './ToolPicker.tsx';
import { UseFields } from './UseFields.tsx';
import type { ToolChoices } from './useToolChoices.ts';
import { choosing, held, options, typed } from '../../ui/fields/controls.tsx';

/** What must hold after the last turn. */
export function CheckList({ form, problems, choices, onChange }: TaskPartProps) {
  const { checks } = form;
  return (
    <Stack gap="sm" role="group" aria-label="Checks">
      <div>
        <Text size="sm" fw={500}>
          Checks
        </Text>
        <p className="ts-hint">
          What must hold after the last turn. A task succeeds when every check passes.
        </p>
      </div>
      <EditRows
        label="Check"
        rows={checks}
        empty={emptyCheck}
        onRows={(rows) => onChange({ checks: rows })}
      >
        {(check, index, set) => (
          <CheckFields
            check={check}
            number={index + 1}
            choices={choices}
            setup={form.setup}
            problem={(field) => problems[`checks.${index}.${field}`]}
            onCheck={set}
          />
        )}
      </EditRows>
      {problems['checks'] !== undefined && <Input.Error>{problems['checks']}</Input.Error>}
    </Stack>
  );
}

interface CheckFieldsProps {
  check: CheckForm;
  number: number;
  choices: ToolChoices;
  setup: readonly ToolCallForm[];
  problem: (field: string) => string | undefined;
  onCheck: (check: CheckForm) => void;
}

const kindMeanings: Record<CheckForm['kind'], string> = {
  state: 'Calls a tool after the last turn and compares its result.',
  end_state: 'A tool returns what it returns after the reference solution.',
  unchanged: 'A tool returns what it returned before the first turn.',
  answer: 'Compares the last message of the model.',
  calls: 'All required calls, one of the alternatives, and no forbidden call were made.',
  program: 'Starts a program of yours, which is given the run as JSON.',
  judge: 'Asks a second model whether the run meets a rubric.',
};

const weightHint = 'How much it counts in the partial credit';
const moreHints: Record<CheckKind, string> = {
  state: weightHint,
  end_state: 'Members that are not compared, weight',
  unchanged: 'Members that are not compared, weight',
  answer: 'As JSON, a number or a language; any message; weight',
  calls: 'Number of all calls, repeated calls, weight',
  program: 'Time limit, exit code, weight',
  judge: weightHint,
};

/** Two fields side by side stay in line, however long their hints are. */
const hintBelow: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];

function CheckFields(props: CheckFieldsProps) {
  const { check, number, problem, onCheck } = props;
  return (
    <>
      <SimpleGrid cols={2}>
        <Select
          label={`Kind of check ${number}`}
          description={kindMeanings[check.kind]}
          inputWrapperOrder={hintBelow}
          data={checkKinds.map((value) => ({ value, label: checkKindTexts[value] }))}
          {...choosing(check.kind, (kind) => onCheck(withCheckKind(check, kind)))}
        />
        <TextInput
          label={`ID of check ${number}`}
          description="Reports name the check by it."
          inputWrapperOrder={hintBelow}
          placeholder={`check-${number}`}
          {...typed(check.id, (id) => onCheck({ ...check, id }), problem('id'))}
          styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
        />
      </SimpleGrid>
      <KindFields {...props} />
      <Fold
        title={`More of check ${number}`}
        hint={Object.keys(readObject(check.more) ?? {}).join(', ') || moreHints[check.kind]}
        openFirst={problem('more') !== undefined}
      >
        <ArgumentsEditor
          label={`More of check ${number}`}
          isTitled
          schema={furtherSchema(check.kind)}
          text={check.more}
          error={problem('more')}
          onText={(more) => onCheck({ ...check, more })}
        />
      </Fold>
    </>
  );
}

function KindFields(props: CheckFieldsProps): ReactElement {
  const { check, number, problem, onCheck } = props;
  switch (check.kind) {
    case 'state':
    case 'end_state':
    case 'unchanged':
      return <StateFields {...props} />;
    case 'answer':
      return <AnswerFields {...props} />;
    case 'calls':
      return <UseFields {...props} />;
    case 'program':
      return (
        <TagsInput
          label={`Command of check ${number}`}
          description='It works in the folder of the suite and writes {"passed": true} as its last line.'
          allowDuplicates
          splitChars={[' ']}
          {...held(check.command, (command) => onCheck({ ...check, command }), problem('command'))}
        />
      );
    case 'judge':
      return (
        <>
          <Textarea
            label={`Rubric of check ${number}`}
            description="What the run must meet, in plain words."
            minRows={2}
            maxLength={10_000}
            {...typed(check.rubric, (rubric) => onCheck({ ...check, rubric }), problem('rubric'))}
          />
          <Fold title="What a judge is asked">
            <CodeView text={judgePromptText} label="Prompt of judges" maxHeight={240} />
          </Fold>
        </>
      );
  }
}

const testLabels: Record<CheckForm['test'], string> = {
  contains: 'Contains',
  excludes: 'Does not contain',
  matches: 'Equals',
};

function StateFields({ check, number, choices, setup, problem, onCheck }: CheckFieldsProps) {
  const isState = check.kind === 'state';
  return (
    <>
      <ToolPicker
        label={`Tool of check ${number}`}
        choices={choices}
        {...held(check.tool, (tool) => onCheck({ ...check, tool }), problem('tool'))}
      />
      <ArgumentsEditor
        label={`Arguments of check ${number}`}
        schema={choices.schemaOf(check.tool)}
        text={check.arguments}
        error={problem('arguments')}
        onText={(text) => onCheck({ ...check, arguments: text })}
      />
      {isState && (
        <Reading
          number={number}
          check={check}
          setup={setup}
          onPick={(picked) => onCheck({ ...check, ...picked })}
        />
      )}
      <SimpleGrid cols={2}>
        <TextInput
          label={`Part of the result in check ${number}`}
          description="A JSON pointer. If empty, the whole result."
          inputWrapperOrder={hintBelow}
          placeholder="/tasks"
          {...typed(check.at, (at) => onCheck({ ...check, at }), problem('at'))}
          styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
        />
        {isState && (
          <Select
            label={`Comparison of check ${number}`}
            description="How that part is compared."
            inputWrapperOrder={hintBelow}
            data={options(testLabels)}
            {...choosing(check.test, (test) => onCheck({ ...check, test }))}
          />
        )}
      </SimpleGrid>
      {isState && (
        <JsonField
          label={`Expected by check ${number}`}
          description="A JSON value. Matchers can replace values at any depth."
          text={check.expected}
          error={problem('expected')}
          matchers
          onText={(expected) => onCheck({ ...check, expected })}
        />
      )}
    </>
  );
}

/** The last message as a field whose value is expected. */
const answerField = {
  name: 'answer',
  declaredKind: 'text',
  required: true,
  description: null,
  choices: [],
  hint: null,
  minimum: null,
  maximum: null,
  members: null,
  items: null,
  variants: null,
  isMap: false,
} as const;

function AnswerFields({ check, problem, onCheck }: CheckFieldsProps) {
  // Text that was typed as JSON stays text, also while it would fit another matcher.
  const [typed, setTyped] = useState(false);
  const value = valueOf(check.expected);
  const kind = value === undefined || typeof value === 'string' ? 'text' : 'json';
  return (
    <div>
      <ExpectedArgument
        field={{ ...answerField, kind, choices: [], suggestions: [] }}
        offered={['contains', 'equals', 'pattern', 'any', 'json']}
        value={value}
        draft={typed || value === undefined ? check.expected : undefined}
        onValue={(next) => {
          setTyped(false);
          onCheck({ ...check, expected: jsonText(next ?? '') });
        }}
        onDraft={(expected) => {
          setTyped(true);
          onCheck({ ...check, expected });
        }}
      />
      {problem('expected') !== undefined && <Input.Error>{problem('expected')}</Input.Error>}
    </div>
  );
}
