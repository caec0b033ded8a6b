import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApi } from '../../api/index.ts';
import type { CaseForm } from './caseForm.ts';
import type { TaskForm } from './taskForm.ts';

/** Edits are saved at once, and then at most this often. */
const saveDelayMs = 400;

export interface Drafts<Form> {
  /** False until earlier drafts have been loaded. */
  ready: boolean;
  get(key: string): Form | null;
  set(key: string, draft: Form | null): void;
}

/**
 * Unsaved edits of cases or tasks, stored by the core so that they survive the panel, the window
 * and the program. `read` returns null for a draft of another shape.
 */
export function useDrafts<Form extends CaseForm | TaskForm>(
  suiteId: string,
  read: (content: unknown) => Form | null,
  prefix = '',
): Drafts<Form> {
  const { client, queries } = useApi();
  const stored = useQuery(
    queries.suites.drafts.queryOptions({ input: { suiteId }, staleTime: Infinity, gcTime: 0 }),
  );
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
