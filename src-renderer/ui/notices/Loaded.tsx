import type { ReactNode } from 'react';
import { ErrorNotice } from './ErrorNotice.tsx';
import { LoadingSkeleton } from './LoadingSkeleton.tsx';

export interface Query<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface LoadedProps<T> {
  query: Query<T>;
  /** Heights of the blocks of the placeholder. */
  blocks?: number[];
  label?: string;
  children: (data: T) => ReactNode;
}

/**
 * Renders a query in its three states: loading, failed, loaded. Loaded data stays in view when a
 * later refresh fails.
 */
export function Loaded<T>({ query, blocks, label, children }: LoadedProps<T>) {
  const retry = (): void => void query.refetch();
  const failed = query.error !== null && query.error !== undefined;
  if (query.data === undefined) {
    if (failed) return <ErrorNotice error={query.error} onRetry={retry} />;
    return (
      <LoadingSkeleton
        {...(blocks === undefined ? {} : { blocks })}
        {...(label === undefined ? {} : { label })}
      />
    );
  }
  return (
    <>
      {failed && <ErrorNotice error={query.error} onRetry={retry} />}
      {children(query.data)}
    </>
  );
}
