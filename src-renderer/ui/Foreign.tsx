import { Button } from '@mantine/core';
import { useState } from 'react';
import { firstCharacters, visibleControls } from './plainText.ts';

interface ForeignProps {
  text: string;
  /** Characters shown before “Show all”. */
  limit?: number;
  block?: boolean;
}

/** Text that somebody else wrote, shown as text: isolated, wrapped, control characters visible, the long rest on request. */
export function Foreign({ text, limit = 4000, block = false }: ForeignProps) {
  const [whole, setWhole] = useState(false);
  const shown = visibleControls(whole ? text : firstCharacters(text, limit));
  const rest = text.length - limit;
  return (
    <span dir="auto" className="ts-foreign" style={{ whiteSpace: 'pre-wrap', ...(block ? { display: 'block' } : {}) }}>
      {shown}
      {!whole && rest > 0 && (
        <>
          {'… '}
          <Button size="compact-xs" variant="default" onClick={() => { setWhole(true); }}>
            Show {rest.toLocaleString('en')} more characters
          </Button>
        </>
      )}
    </span>
  );
}
