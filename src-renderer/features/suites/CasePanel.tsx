import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseProblem } from '../../../src-shared/contract/suites.ts';
import type { TestCase, CaseOrigin } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { describeError } from '../../ui/notices/describeError.ts';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { EditPanel } from './EditPanel.tsx';
import { CaseFields } from './CaseFields.tsx';
import { inputOfCaseForm, type CaseForm, type CaseInput, type CaseProblems } from './caseForm.ts';
import { useToolChoices } from './useToolChoices.ts';
import { Text } from '@mantine/core';
import { Notice } from '../../ui/notices/Notice.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';

interface CasePanelProps {
  suiteId: string;
  /** The servers of the suite, whose tools are offered first. */
  suiteServers: readonly string[];
  /** Null creates a new case. */
  testCase: TestCase | null;
  start: CaseForm;
  /** Unsaved edits from when the panel was last open. */
  draft: CaseForm | null;
  /** Stores unsaved edits while another case is open; null means that there are none. */
  onDraft: (draft: CaseForm | null) => void;
  /** Problems of the saved case. */
  problems: readonly CaseProblem[];
  knownTags: string[];
  onClose: () => void;
  onSaved: (testCase: TestCase) => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

/** A case as a form next to its list. */
export function CasePanel({
  suiteId,
  suiteServers,
  testCase,
  start,
  draft,
  onDraft,
  problems: problemsKnown,
  knownTags,
  onClose,
  onSaved,
  onDuplicate,
  onDelete,
}: CasePanelProps) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [form, setForm] = useState(draft ?? start);
  const choices = useToolChoices(form.servers.length > 0 ? form.servers : suiteServers);
  const [problems, setProblems] = useState<CaseProblems>({});
  const edited = JSON.stringify(form) !== JSON.stringify(start);
  const save = useMutation({
    mutationFn: (input: CaseInput) =>
      testCase === null
        ? client.suites.createCase({ ...input, suiteId })
        : client.suites.updateCase({ ...input, id: testCase.id }),
    onSuccess: async (saved) => {
      await cache.invalidateQueries({ queryKey: queries.suites.key() });
      onDraft(null);
      showDone(`Saved case “${saved.name}”.`);
      onSaved(saved);
    },
    onError: (error) => {
      const { field, cause, nextStep } = describeError(error);
      if (field !== null) setProblems({ [fieldOfForm(field)]: `${cause} ${nextStep}`.trim() });
    },
  });
  const submit = (): void => {
    const result = inputOfCaseForm(form);
    setProblems(result.ok ? {} : result.problems);
    if (result.ok) save.mutate(result.input);
  };

  return (
    <EditPanel
      noun="case"
      saved={testCase}
      edited={edited}
      saving={save.isPending}
      error={save.error}
      problems={problems}
      onSubmit={submit}
      onDiscard={() => {
        onDraft(null);
        onClose();
      }}
      onClose={onClose}
      onDuplicate={onDuplicate}
      onDelete={onDelete}
    >
      <CaseNotes problems={problemsKnown} origin={testCase?.origin ?? null} />
      <CaseFields
        form={form}
        problems={problems}
        choices={choices}
        knownTags={knownTags}
        onChange={(part) => {
          const next = { ...form, ...part };
          setForm(next);
          onDraft(next);
          setProblems({});
          if (save.isError) save.reset();
        }}
      />
    </EditPanel>
  );
}

/**
 * Maps field names of the contract to those of the form (`expectedCalls.0.parameters.id` →
 * `calls.0.parameters`).
 */
function fieldOfForm(field: string): string {
  const call = /^expectedCalls\.(\d+)(?:\.(parameters))?/.exec(field);
  if (call !== null) return `calls.${call[1] ?? '0'}.${call[2] ?? 'tools'}`;
  return field.startsWith('allowedCalls') ? 'allowed' : (field.split('.')[0] ?? field);
}

interface CaseNotesProps {
  problems: readonly CaseProblem[];
  origin: CaseOrigin | null;
}

/** Problems of a case, and its origin. */
function CaseNotes({ problems, origin }: CaseNotesProps) {
  return (
    <>
      {problems.length > 0 && (
        <div style={{ marginBottom: 16 }}>
          <Notice tone="warning">
            <ul className="ts-rows" aria-label="Problems">
              {problems.map(({ message, field }, index) => (
                <li key={`${field} ${index}`} style={{ border: 'none' }}>
                  <PlainText text={message} />
                </li>
              ))}
            </ul>
          </Notice>
        </div>
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
