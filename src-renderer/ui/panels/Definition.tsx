import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Definition.module.css';

interface DefinitionProps {
  /** The term as written in the text. */
  children: ReactNode;
  meaning: string;
}

/** A term of the glossary with its definition on hover and on focus. */
export function Definition({ children, meaning }: DefinitionProps) {
  return (
    <Tooltip label={meaning}>
      <span className={classes.term} tabIndex={0}>
        {children}
      </span>
    </Tooltip>
  );
}
