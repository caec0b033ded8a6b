import { type RefObject, useEffect, useRef } from 'react';

/** Focuses the first invalid field whenever new problems arrive. */
export function useFirstProblem(problems: object | null): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problems === null) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: 'center' });
  }, [problems]);
  return form;
}
