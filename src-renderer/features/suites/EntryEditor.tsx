import { useSearchParams } from 'react-router';
import type { CaseProblem } from '../../../src-shared/contract/suites.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import type { CaseForm } from './caseForm.ts';
import type { EntryKind } from './entryKinds.tsx';
import { EntryPanel } from './EntryPanel.tsx';
import type { SuiteRow } from './suiteRows.ts';
import type { RowIds } from './SuiteTable.tsx';
import type { TaskForm } from './taskForm.ts';
import { useEffect, useRef } from 'react';
import { useApi, useRead } from '../../api/index.ts';

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
