import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApi } from '../../api/index.ts';
import { type CaseForm, readDraft } from './caseForm.ts';

/** Edits are saved at once, and then at most this often. */
const saveDelayMs = 400;

export interface Drafts {
  /** False until earlier drafts have been loaded. */
  ready: boolean;
  get(key: string): CaseForm | null;
  set(key: string, draft: CaseForm | null): void;
}

/**
 * Unsaved edits of cases, stored by the core so that they survive the panel, the window and the
 * program.
 */
export function useDrafts(suiteId: string): Drafts {
  const { client, queries } = useApi();
  const stored = useQuery(
    queries.suites.drafts.queryOptions({ input: { suiteId }, staleTime: Infinity, gcTime: 0 }),
  );
  const typed = useRef(new Map<string, CaseForm | null>());
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

  const save = (key: string, content: CaseForm | null): void => {
    // A draft that can't be saved is still in the form.
    client.suites.saveDraft({ suiteId, key, content }).catch(() => undefined);
  };

  return {
    ready: stored.data !== undefined || stored.isError,
    get(key) {
      if (typed.current.has(key)) return typed.current.get(key) ?? null;
      const content = stored.data?.[key];
      return content === undefined ? null : readDraft(content);
    },
    set(key, draft) {
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
