import { Group } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { PlainText } from '../text/PlainText.tsx';
import classes from './Section.module.css';

interface SectionProps {
  title: string;
  /** Shown to the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A titled part of a screen. */
export function Section({ title, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <Group justify="space-between" className={classes.head} gap="sm">
        <PlainText as="h2" id={id} className={classes.title} text={title} />
        {aside}
      </Group>
      {children}
    </section>
  );
}
