import { useRouteError } from 'react-router';
import { ErrorNotice } from '../notices/ErrorNotice.tsx';

/**
 * Replaces a screen that fails to render, or whose code cannot be loaded, for example after an
 * update under an open window. Reloading the page helps.
 */
export function FailedScreen() {
  const error = useRouteError();
  return (
    <ErrorNotice
      title="This page crashed."
      error={error}
      onRetry={() => window.location.reload()}
    />
  );
}
