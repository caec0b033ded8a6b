import { type RefObject, useEffect, useRef } from 'react';

/**
 * Leads to the first field that is marked invalid whenever a new set of problems arrives; an empty
 * set leads nowhere.
 */
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
