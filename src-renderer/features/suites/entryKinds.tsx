import { Text } from '@mantine/core';
import type { ComponentType } from 'react';
import type { CaseProblem } from '../../../src-shared/contract/suites.ts';
import { modeTexts } from '../../../src-shared/display/executionTexts.ts';
import { leastMode } from '../../../src-shared/display/taskTexts.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { SuiteTask } from '../../../src-shared/domain/task.ts';
import type { CaseOrigin, TestCase } from '../../../src-shared/domain/testCase.ts';
import { Notice } from '../../ui/notices/notices.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { CaseFields } from './CaseFields.tsx';
import {
  type CaseForm,
  type CaseInput,
  duplicateOfCase,
  emptyCaseForm,
  fieldOfCaseForm,
  formAfterCase,
  formOfCase,
  inputOfCaseForm,
  readDraft,
} from './caseForm.ts';
import { TaskFields } from './TaskFields.tsx';
import {
  duplicateOfTask,
  emptyTaskForm,
  fieldOfTaskForm,
  formAfterTask,
  formOfTask,
  inputOfTaskForm,
  readTaskDraft,
  type TaskForm,
  type TaskInput,
} from './taskForm.ts';
import type { ToolChoices } from './useToolChoices.ts';

type Problems = Readonly<Record<string, string>>;

interface EntryFieldsProps<Form> {
  form: Form;
  problems: Problems;
  choices: ToolChoices;
  /** Tags of the other cases and tasks of the suite. */
  knownTags: string[];
  onChange: (part: Partial<Form>) => void;
}

/** What the form of a case and that of a task do differently. */
export interface EntryKind<Entry, Form, Input> {
  unit: EvaluationUnit;
  /** Of the keys of its unsaved edits. */
  draftPrefix: string;
  empty: Form;
  formOf: (entry: Entry) => Form;
  duplicateOf: (entry: Entry) => Form;
  /** A new one after one was saved: what is likely to be the same again. */
  formAfter: (entry: Entry) => Form;
  readDraft: (content: unknown) => Form | null;
  inputOf: (form: Form) => { ok: true; input: Input } | { ok: false; problems: Problems };
  fieldOf: (field: string, form: Form) => string;
  nameOf: (entry: Entry) => string;
  Fields: ComponentType<EntryFieldsProps<Form>>;
  /** What is known of a saved one besides its form. */
  Notes: ComponentType<{ entry: Entry; problems: readonly CaseProblem[] }>;
}

export const caseKind: EntryKind<TestCase, CaseForm, CaseInput> = {
  unit: 'case',
  draftPrefix: '',
  empty: emptyCaseForm,
  formOf: formOfCase,
  duplicateOf: duplicateOfCase,
  formAfter: formAfterCase,
  readDraft,
  inputOf: inputOfCaseForm,
  fieldOf: fieldOfCaseForm,
  nameOf: ({ name }) => name,
  Fields: CaseFields,
  Notes: ({ entry, problems }) => <CaseNotes problems={problems} origin={entry.origin} />,
};

export const taskKind: EntryKind<SuiteTask, TaskForm, TaskInput> = {
  unit: 'task',
  draftPrefix: 'task ',
  empty: emptyTaskForm,
  formOf: formOfTask,
  duplicateOf: duplicateOfTask,
  formAfter: formAfterTask,
  readDraft: readTaskDraft,
  inputOf: inputOfTaskForm,
  fieldOf: fieldOfTaskForm,
  nameOf: ({ content }) => content.name,
  Fields: TaskFields,
  Notes: ({ entry }) => (
    <Text size="sm" c="dimmed" mb="md">
      Execution mode needed to score it: {modeTexts[leastMode(entry.content)].label}.
    </Text>
  ),
};

function CaseNotes(props: { problems: readonly CaseProblem[]; origin: CaseOrigin | null }) {
  const { problems, origin } = props;
  return (
    <>
      {problems.length > 0 && (
        <Notice tone="warning">
          <ul className="ts-rows" aria-label="Problems">
            {problems.map(({ message, field }, index) => (
              <li key={`${field} ${index}`} style={{ border: 'none' }}>
                <PlainText text={message} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {origin !== null && (
        <Text size="sm" c="dimmed" mb="md" className="ts-foreign">
          <PlainText text={originWords(origin)} />
        </Text>
      )}
    </>
  );
}

function originWords(origin: CaseOrigin): string {
  if (origin.kind === 'proposal')
    return (
      `Proposed for ${origin.basis} by ` +
      `${origin.madeBy === 'template' ? 'a template' : origin.madeBy}. ` +
      `A person ${origin.edited ? 'edited and accepted' : 'accepted'} it.`
    );
  const nearly =
    origin.approximated.length === 0
      ? 'Nothing was approximated.'
      : `Approximated: ${origin.approximated.join('; ')}.`;
  const id = origin.sourceId === null ? '' : `case ${origin.sourceId}, `;
  return (
    `Imported from ${origin.format} (${id}${origin.converter}, source hash ` +
    `${origin.sourceHash.slice(0, 12)}…). ${nearly}`
  );
}
