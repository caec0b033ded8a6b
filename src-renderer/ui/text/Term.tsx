import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { termTexts, type TermName } from '../../../src-shared/display/termTexts.ts';
import classes from './Term.module.css';

type TermProps =
  | { name: TermName; /** Its label if nothing else is given. */ children?: ReactNode }
  | { /** A definition that only this place needs. */ meaning: string; children: ReactNode };

/** A term with its definition on hover, focus and touch. Escape closes the definition first. */
export function Term(props: TermProps) {
  const meaning = 'name' in props ? termTexts[props.name].meaning : props.meaning;
  const text = 'name' in props ? (props.children ?? termTexts[props.name].label) : props.children;
  return (
    <Tooltip label={meaning}>
      <span className={classes.term} tabIndex={0} data-term>
        {text}
      </span>
    </Tooltip>
  );
}
