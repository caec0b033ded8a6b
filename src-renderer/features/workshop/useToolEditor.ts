import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ToolDraft, ToolProblem } from '../../../src-shared/domain/workshop.ts';
import { useApi } from '../../api/index.ts';
import { sameDraft } from './toolDraft.ts';

const keepAfterMs = 500;

export interface ToolEditor {
  draft: ToolDraft;
  change: (part: Partial<ToolDraft>) => void;
  replace: (draft: ToolDraft) => void;
  /** Differs from what is saved. */
  dirty: boolean;
  /** The version that is being edited; null for a new tool. */
  baseVersion: number | null;
  problemsOf: (field: string) => ToolProblem[];
  problems: readonly ToolProblem[];
}

/** What the editor holds: kept in the workspace while it is written, and checked there. */
export function useToolEditor(id: string, saved: ToolDraft, kept: { draft: ToolDraft; baseVersion: number | null } | null, version: number | null): ToolEditor {
  const { client, queries } = useApi();
  const [draft, setDraft] = useState<ToolDraft>(kept?.draft ?? saved);
  const [baseVersion] = useState(kept === null ? version : kept.baseVersion);
  const dirty = !sameDraft(draft, saved);
  const [settled] = useDebouncedValue(draft, keepAfterMs);
  const written = useRef(draft);

  useEffect(() => {
    // Only what was typed here is kept: what was just read is there already.
    if (sameDraft(settled, written.current)) return;
    written.current = settled;
    if (sameDraft(settled, saved)) void client.workshop.dropDraft({ id });
    else void client.workshop.keepDraft({ id, draft: settled, baseVersion });
  }, [client, id, settled, saved, baseVersion]);

  const check = useQuery(queries.workshop.check.queryOptions({ input: { draft: settled, id: id === 'new' ? null : id }, placeholderData: keepPreviousData }));
  const problems = check.data?.problems ?? [];
  return {
    draft,
    change: (part) => { setDraft((before) => ({ ...before, ...part })); },
    replace: setDraft,
    dirty,
    baseVersion,
    problems,
    problemsOf: (field) => problems.filter((problem) => problem.field === field || problem.field.startsWith(`${field}.`)),
  };
}
