import { useSearchParams, Link } from 'react-router';
import type { CaseProblem } from '../../../src-shared/contract/suites.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import type { CaseForm } from './caseForm.ts';
import type { EntryKind } from './entryKinds.tsx';
import type { SuiteRow } from './suiteRows.ts';
import type { RowIds } from './SuiteTable.tsx';
import type { TaskForm } from './taskForm.ts';
import { useEffect, useRef, type KeyboardEvent, useState } from 'react';
import { useApi, useRead } from '../../api/index.ts';
import { Text } from '@mantine/core';
import { IconCopy, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Action } from '../../ui/fields/controls.tsx';
import { MoreAction, MoreActions } from '../../ui/fields/choices.tsx';
import { signOfTask } from '../../../src-shared/display/taskTexts.ts';
import { lastOutcomeTitle } from '../../../src-shared/display/lastOutcomeTexts.ts';
import type { LastOutcome } from '../../../src-shared/domain/lastOutcomes.ts';
import { useFirstProblem } from '../../ui/fields/useFirstProblem.ts';
import { describeError } from '../../ui/notices/describeError.ts';
import { ErrorNotice, showDone } from '../../ui/notices/notices.tsx';
import { OutcomeMark } from '../../ui/outcome/outcomes.tsx';
import { SidePanel } from '../../ui/panels/panels.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { useToolChoices } from './useToolChoices.ts';

interface EntryEditorProps<Entry, Form, Input> {
  suite: Suite;
  kind: EntryKind<Entry, Form, Input>;
  entries: readonly Entry[];
  rows: readonly SuiteRow[];
  problems: ReadonlyMap<string, readonly CaseProblem[]>;
  knownTags: string[];
  save: (input: Input, id: string | null) => Promise<Entry>;
  onClose: () => void;
  onDelete: (rows: RowIds) => void;
}

/**
 * The case or task that the address opens: `?case=ID`, or `new`, then with `copy=ID` as a copy and
 * with `after=ID` like the one that was just saved.
 */
export function EntryEditor<
  Entry extends { id: string; key: string; updatedAt: string },
  Form extends CaseForm | TaskForm,
  Input,
>(props: EntryEditorProps<Entry, Form, Input>) {
  const { suite, kind, entries, rows, problems, save, onDelete } = props;
  const [params, setParams] = useSearchParams();
  const drafts = useDrafts(suite.id, kind.readDraft, kind.draftPrefix);
  const id = params.get(kind.unit) ?? '';
  const find = (wanted: string | null): Entry | null =>
    entries.find((entry) => entry.id === wanted) ?? null;
  const [open, copy, after] = [find(id), find(params.get('copy')), find(params.get('after'))];
  if ((open === null && id !== 'new') || !drafts.ready) return null;
  const fresh =
    copy !== null ? kind.duplicateOf(copy) : after !== null ? kind.formAfter(after) : kind.empty;
  const show = (query: Record<string, string>): void => setParams(query);
  const openNext = (saved: Entry): void => {
    if (open === null) {
      show({ [kind.unit]: 'new', after: saved.id });
      return;
    }
    const next = rows[rows.findIndex((row) => row.id === open.id) + 1];
    if (next === undefined) props.onClose();
    else show({ [next.unit]: next.id });
  };
  return (
    <EntryPanel
      key={
        open === null ? `new ${copy?.id ?? ''} ${after?.id ?? ''}` : `${open.id} ${open.updatedAt}`
      }
      kind={kind}
      suiteServers={suite.servers}
      entry={open}
      start={open === null ? fresh : kind.formOf(open)}
      draft={drafts.get(open?.id ?? 'new')}
      onDraft={(draft) => drafts.set(open?.id ?? 'new', draft)}
      save={(input) => save(input, open?.id ?? null)}
      problems={problems.get(open?.id ?? '') ?? []}
      last={rows.find((row) => row.id === open?.id)?.last ?? []}
      knownTags={props.knownTags}
      onClose={props.onClose}
      onSaved={(saved, next) => {
        if (next) openNext(saved);
        else show({ [kind.unit]: saved.id });
      }}
      onDuplicate={() => {
        if (open === null) return;
        drafts.set('new', null);
        show({ [kind.unit]: 'new', copy: open.id });
      }}
      onDelete={() => {
        if (open !== null) onDelete([{ id: open.id, unit: kind.unit }]);
      }}
    />
  );
}

/** Edits are saved at once, and then at most this often. */
const saveDelayMs = 400;

interface Drafts<Form> {
  /** False until earlier drafts have been loaded. */
  ready: boolean;
  get(key: string): Form | null;
  set(key: string, draft: Form | null): void;
}

/**
 * Unsaved edits of cases or tasks, stored by the core so that they survive the panel, the window
 * and the program. `read` returns null for a draft of another shape.
 */
function useDrafts<Form extends CaseForm | TaskForm>(
  suiteId: string,
  read: (content: unknown) => Form | null,
  prefix = '',
): Drafts<Form> {
  const { client } = useApi();
  const stored = useRead((ask) => ask.suites.drafts, {
    input: { suiteId },
    staleTime: Infinity,
    gcTime: 0,
  });
  const typed = useRef(new Map<string, Form | null>());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());

  useEffect(() => {
    const waiting = timers.current;
    const drafts = typed.current;
    return () => {
      for (const [key, timer] of waiting) {
        clearTimeout(timer);
        client.suites
          .saveDraft({ suiteId, key, content: drafts.get(key) ?? null })
          .catch(() => undefined);
      }
      waiting.clear();
    };
  }, [client, suiteId]);

  const save = (key: string, content: Form | null): void => {
    // A draft that can't be saved is still in the form.
    client.suites.saveDraft({ suiteId, key, content }).catch(() => undefined);
  };

  return {
    ready: stored.data !== undefined || stored.isError,
    get(name) {
      const key = prefix + name;
      if (typed.current.has(key)) return typed.current.get(key) ?? null;
      const content = stored.data?.[key];
      return content === undefined ? null : read(content);
    },
    set(name, draft) {
      const key = prefix + name;
      typed.current.set(key, draft);
      if (timers.current.has(key)) return;
      const written = draft;
      save(key, draft);
      timers.current.set(
        key,
        setTimeout(() => {
          timers.current.delete(key);
          const now = typed.current.get(key) ?? null;
          if (now !== written) save(key, now);
        }, saveDelayMs),
      );
    },
  };
}

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
function EntryPanel<Entry extends Saved, Form extends { servers: string[] }, Input>(
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
      // The form now starts from what was saved, and must not find its own draft.
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
          {!one.changed && <OutcomeMark outcome={signOfTask(one.outcome)} quiet decorative />}
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
