import { useRouteError } from 'react-router';
import { ErrorNotice } from '../notices/ErrorNotice.tsx';

/**
 * In place of a screen that fails to draw, or whose code can't be brought in, as after an update
 * under an open window: loading the page anew helps.
 */
export function LostPage() {
  const error = useRouteError();
  return (
    <ErrorNotice
      title="This screen could not be drawn."
      error={error}
      onRetry={() => {
        window.location.reload();
      }}
    />
  );
}
