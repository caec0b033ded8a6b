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
  /** Differs from what is saved. */
  dirty: boolean;
  /** The version that is being edited; null for a new tool. */
  baseVersion: number | null;
  /** What is written here goes on top of this version from now on. */
  rebase: (version: number) => void;
  /** What is written here is saved or given up: it is not kept any more. */
  release: () => void;
  problemsOf: (field: string) => ToolProblem[];
  /** Of what stands there now. */
  problems: readonly ToolProblem[];
  /** The last check found something: perhaps it is mended already. */
  faulty: boolean;
}

/**
 * What the editor holds: kept in the workspace while it is written and when it is left, and checked
 * there.
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
      // Only what was typed here is kept: what was just read is there already.
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
    // Whoever leaves within the pause of typing loses nothing either.
    const leave = (): void => {
      keep(latest.current);
    };
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
  const { checked, found = [] } = check.data ?? {};
  // What was said of a text that is another one by now is not said any more.
  const problems = found.filter(({ field }) => {
    const name = field.split('.', 1)[0] as keyof ToolDraft;
    return checked === undefined || checked[name] === draft[name];
  });
  return {
    draft,
    change: (part) => {
      setDraft((before) => ({ ...before, ...part }));
    },
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
    problemsOf: (field) =>
      problems.filter(
        (problem) => problem.field === field || problem.field.startsWith(`${field}.`),
      ),
  };
}
