import { IconEqualNot, IconMinus, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './case.module.css';

const glyphs = { different: IconEqualNot, missing: IconMinus, added: IconPlus };

/** What differs, in words and with a glyph. */
export function DifferenceMark({
  kind,
  children,
}: {
  kind: keyof typeof glyphs;
  children: ReactNode;
}) {
  const Glyph = glyphs[kind];
  return (
    <span className={classes.difference}>
      <Glyph size={14} stroke={2.2} aria-hidden />
      {children}
    </span>
  );
}
