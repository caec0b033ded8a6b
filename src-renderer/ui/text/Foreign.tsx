import { useState } from 'react';
import { Action } from '../fields/Action.tsx';
import { around, type AroundProps, TextParts } from './PlainText.tsx';
import { firstCharacters } from './visibleText.ts';
import { counted } from '../../../src-shared/display/numbers.ts';

interface ForeignProps extends AroundProps {
  text: string;
  /** Characters shown before “Show all”. */
  limit?: number;
  block?: boolean;
}

/**
 * Foreign text, shown as text: isolated, wrapped, with invisible characters by their codes. A long
 * text is cut until the reader asks for the rest.
 */
export function Foreign({ text, limit = 4000, block = false, ...props }: ForeignProps) {
  const [expanded, setExpanded] = useState(false);
  const rest = text.length - limit;
  return around(
    <span
      dir="auto"
      className="ts-foreign"
      style={{ whiteSpace: 'pre-wrap', ...(block ? { display: 'block' } : {}) }}
    >
      <TextParts text={expanded ? text : firstCharacters(text, limit)} />
      {!expanded && rest > 0 && (
        <>
          {'… '}
          <Action
            label={`Show ${counted(rest, 'more character')}`}
            size="compact-xs"
            onClick={() => setExpanded(true)}
          />
        </>
      )}
    </span>,
    props,
  );
}
