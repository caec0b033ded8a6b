import { useSearchParams } from 'react-router';
import { lintSeverities } from '../../../../src-shared/domain/lint.ts';
import type { QualityFilter } from './toolRows.ts';

export type FilterChanges = Partial<
  Record<'server' | 'rule' | 'severity' | 'search' | 'tool' | 'off', string | null>
>;

/** What the page shows, kept in its address: filters, rules turned off, and the open tool. */
export function useQualityFilter() {
  const [params, setParams] = useSearchParams();
  const filter: QualityFilter & { tool: string | null; off: string[] } = {
    server: params.get('server'),
    rule: params.get('rule'),
    severity: lintSeverities.find((severity) => severity === params.get('severity')) ?? null,
    search: params.get('search') ?? '',
    tool: params.get('tool'),
    off: params.get('off')?.split(',') ?? [],
  };
  const change = (changes: FilterChanges): void => {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [key, value] of Object.entries(changes))
          if (value === null || value === '') next.delete(key);
          else next.set(key, value);
        return next;
      },
      { replace: true },
    );
  };
  return { filter, change };
}
