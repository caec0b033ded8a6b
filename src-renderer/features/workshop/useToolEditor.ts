import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ToolDraft, ToolProblem } from '../../../src-shared/domain/workshop.ts';
import { useApi } from '../../api/index.ts';
import { sameDraft } from './toolDraft.ts';

const keepAfterMs = 500;

export interface ToolEditor {
  draft: ToolDraft;
  change: (part: Partial<ToolDraft>) => void;
  /** True if it differs from the saved version. */
  dirty: boolean;
  /** The version being edited; null for a new tool. */
  baseVersion: number | null;
  /** Bases the draft on this version from now on. */
  rebase: (version: number) => void;
  /** Stops storing the draft after it was saved or discarded. */
  release: () => void;
  problemsOf: (field: string) => ToolProblem[];
  /** Problems of the current content. */
  problems: readonly ToolProblem[];
  /** True if the last check found problems, even if they may be fixed already. */
  faulty: boolean;
  /** True once the first check has ended; before, it is not known whether the draft is valid. */
  checked: boolean;
}

/**
 * The content of the editor, stored in the workspace while it is edited and when it is left, and
 * checked there.
 */
export function useToolEditor(
  id: string,
  saved: ToolDraft,
  kept: { draft: ToolDraft; baseVersion: number | null } | null,
  version: number | null,
): ToolEditor {
  const { client, queries } = useApi();
  const [draft, setDraft] = useState<ToolDraft>(kept?.draft ?? saved);
  const [baseVersion, setBaseVersion] = useState(kept === null ? version : kept.baseVersion);
  const dirty = !sameDraft(draft, saved);
  const [settled] = useDebouncedValue(draft, keepAfterMs);
  const latest = useRef(draft);
  const written = useRef(draft);

  const keep = useCallback(
    (now: ToolDraft): void => {
      // Only edits are stored; what was just loaded is already there.
      if (sameDraft(now, written.current)) return;
      written.current = now;
      if (sameDraft(now, saved)) void client.workshop.dropDraft({ id });
      else void client.workshop.keepDraft({ id, draft: now, baseVersion });
    },
    [client, id, saved, baseVersion],
  );
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  useEffect(() => {
    keep(settled);
  }, [keep, settled]);
  useEffect(() => {
    // Leaving within the typing pause must not lose anything either.
    const leave = (): void => keep(latest.current);
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [keep]);

  const input = { draft: settled, id: id === 'new' ? null : id };
  const check = useQuery({
    queryKey: [...queries.workshop.check.key({ input }), 'checked draft'],
    queryFn: async ({ signal }) => ({
      checked: settled,
      found: (await client.workshop.check(input, { signal })).problems,
    }),
    placeholderData: keepPreviousData,
  });
  const { checked: checkedDraft, found = [] } = check.data ?? {};
  // Drops problems of text that has changed since.
  const problems = found.filter(({ field }) => {
    const name = field.split('.', 1)[0] as keyof ToolDraft;
    return checkedDraft === undefined || checkedDraft[name] === draft[name];
  });
  return {
    draft,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    dirty,
    baseVersion,
    rebase: (next) => {
      setBaseVersion(next);
      written.current = draft;
      if (dirty) void client.workshop.keepDraft({ id, draft, baseVersion: next });
    },
    release: () => {
      written.current = latest.current;
    },
    problems,
    faulty: found.length > 0,
    checked: check.data !== undefined,
    problemsOf: (field) =>
      problems.filter(
        (problem) => problem.field === field || problem.field.startsWith(`${field}.`),
      ),
  };
}
