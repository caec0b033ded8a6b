import { Text } from '@mantine/core';
import { IconCopy, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Action, MoreAction, MoreActions } from '../../ui/fields/controls.tsx';
import type { CaseProblem } from '../../../src-shared/contract/suites.ts';
import { lastOutcomeTitle } from '../../../src-shared/display/lastOutcomeTexts.ts';
import type { LastOutcome } from '../../../src-shared/domain/lastOutcomes.ts';
import { useApi } from '../../api/index.ts';
import { useFirstProblem } from '../../ui/fields/useFirstProblem.ts';
import { describeError } from '../../ui/notices/describeError.ts';
import { ErrorNotice, showDone } from '../../ui/notices/notices.tsx';
import { OutcomeMark } from '../../ui/outcome/OutcomeMark.tsx';
import { SidePanel } from '../../ui/panels/panels.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import type { EntryKind } from './entryKinds.tsx';
import { useToolChoices } from './useToolChoices.ts';

type Saved = { id: string; key: string };

interface EntryPanelProps<Entry extends Saved, Form, Input> {
  kind: EntryKind<Entry, Form, Input>;
  /** The servers of the suite, whose tools are offered first. */
  suiteServers: readonly string[];
  /** Null creates a new one. */
  entry: Entry | null;
  start: Form;
  /** Unsaved edits from when the panel was last open. */
  draft: Form | null;
  /** Stores unsaved edits while another one is open; null means that there are none. */
  onDraft: (draft: Form | null) => void;
  save: (input: Input) => Promise<Entry>;
  problems: readonly CaseProblem[];
  last: readonly LastOutcome[];
  knownTags: string[];
  onClose: () => void;
  /** `next`: another one is to be opened. */
  onSaved: (entry: Entry, next: boolean) => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

/** A case or a task as a form next to its list. Ctrl+Enter saves, with Shift and opens the next. */
export function EntryPanel<Entry extends Saved, Form extends { servers: string[] }, Input>(
  props: EntryPanelProps<Entry, Form, Input>,
) {
  const { kind, suiteServers, entry, start, draft, onDraft, save: write, problems: known } = props;
  const { last, knownTags, onClose, onSaved, onDuplicate, onDelete } = props;
  const { queries, reread } = useApi();
  const [form, setForm] = useState(draft ?? start);
  const choices = useToolChoices(form.servers.length > 0 ? form.servers : suiteServers);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const formElement = useFirstProblem(problems);
  const toNext = useRef(false);
  const edited = JSON.stringify(form) !== JSON.stringify(start);
  const noun = kind.unit;
  const id = `${noun}-form`;
  const save = useMutation({
    mutationFn: write,
    onSuccess: async (saved) => {
      // The form begins anew with what was saved, and must not find its own draft then.
      onDraft(null);
      await reread(queries.suites);
      showDone(`Saved ${noun} “${kind.nameOf(saved)}”.`);
      onSaved(saved, toNext.current);
    },
    onError: (error) => {
      const { field, cause, nextStep } = describeError(error);
      if (field !== null)
        setProblems({ [kind.fieldOf(field, form)]: `${cause} ${nextStep}`.trim() });
    },
  });
  const submit = (next: boolean): void => {
    if (save.isPending) return;
    toNext.current = next;
    const result = kind.inputOf(form);
    setProblems(result.ok ? {} : result.problems);
    if (result.ok) save.mutate(result.input);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit(event.shiftKey);
  };
  const unchanged = entry !== null && !edited;

  return (
    <SidePanel
      title={`${edited ? '● ' : ''}${entry === null ? `New ${noun}` : kind.nameOf(entry)}`}
      subtitle={
        entry === null ? undefined : (
          <>
            <PlainText as="span" className="ts-mono" text={entry.key} />
            {edited ? ' · not saved' : ''}
          </>
        )
      }
      onClose={onClose}
      contentKey={entry?.id ?? 'new'}
      footer={
        <>
          <Action
            label={`Save ${noun}`}
            filled
            type="submit"
            form={id}
            loading={save.isPending}
            disabled={unchanged}
            title="Ctrl+Enter"
          />
          <Action
            label="Save and next"
            disabled={unchanged || save.isPending}
            title="Ctrl+Shift+Enter"
            onClick={() => submit(true)}
          />
          <Action
            label={edited ? 'Discard changes' : 'Close'}
            onClick={() => {
              onDraft(null);
              onClose();
            }}
          />
          {entry !== null && (
            <MoreActions>
              <MoreAction
                label="Duplicate"
                icon={IconCopy}
                disabled={edited}
                title={edited ? 'Save or discard the changes first.' : null}
                onClick={onDuplicate}
              />
              <MoreAction label="Delete" icon={IconTrash} color="vermilion" onClick={onDelete} />
            </MoreActions>
          )}
        </>
      }
    >
      <form
        ref={formElement}
        id={id}
        noValidate
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          submit(false);
        }}
      >
        {save.error !== null && Object.keys(problems).length === 0 && (
          <ErrorNotice error={save.error} />
        )}
        <LastRuns last={last} />
        {entry !== null && <kind.Notes entry={entry} problems={known} />}
        <kind.Fields
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
      </form>
    </SidePanel>
  );
}

/** What each model did last, with a link to the run. */
function LastRuns({ last }: { last: readonly LastOutcome[] }) {
  if (last.length === 0) return null;
  return (
    <ul className="ts-rows" aria-label="Last outcomes" style={{ marginBottom: 16 }}>
      {last.map((one) => (
        <li key={one.model} style={{ border: 'none', display: 'flex', gap: 8 }}>
          {!one.changed && <OutcomeMark outcome={one.outcome} quiet decorative />}
          <Text size="sm" component="span">
            <PlainText text={one.model} />:{' '}
            <Link to={`/results/${one.evaluationId}/runs/${one.runId}`}>
              {lastOutcomeTitle(one)}
              {one.changed ? ` #${one.number}` : ` in #${one.number}`}
            </Link>
          </Text>
        </li>
      ))}
    </ul>
  );
}
