import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** Parts of an address by name; null, or an empty text, leaves one out. */
type AddressParts = Readonly<Record<string, string | null>>;

/** The choices of a page as they are in its address, and how some of them change in place. */
export function useAddress(): [URLSearchParams, (parts: AddressParts) => void] {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (parts: AddressParts) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(parts))
            if (value === null || value === '') next.delete(name);
            else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  return [params, change];
}
