import { Group } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { PlainText } from '../text/Foreign.tsx';
import fold from './Fold.module.css';
import list from './RowList.module.css';
import section from './Section.module.css';
import panel from './TitledPanel.module.css';

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
    <section aria-labelledby={id} className={section.section}>
      <Group justify="space-between" className={section.head} gap="sm">
        <PlainText as="h2" id={id} className={section.title} text={title} />
        {aside}
      </Group>
      {children}
    </section>
  );
}

interface TitledPanelProps {
  title?: ReactNode;
  /** Its name where it shows none, or a sentence that changes. */
  label?: string;
  /** Shown to the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A panel, with its title in it: one of several parts of a screen that stand side by side. */
export function TitledPanel({ title, label, aside, children }: TitledPanelProps) {
  const id = useId();
  return (
    <section
      className={`ts-panel ${panel.panel ?? ''}`}
      {...(label === undefined ? { 'aria-labelledby': id } : { 'aria-label': label })}
    >
      {title !== undefined && (
        <div className={panel.head}>
          <h2 id={id}>{typeof title === 'string' ? <PlainText text={title} /> : title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

interface FoldProps {
  title: ReactNode;
  /** One line that says what is inside; it is cut at the end of the space. */
  hint?: ReactNode;
  /** True opens it, also later; false leaves it as the person has it. */
  openFirst?: boolean;
  children: ReactNode;
}

/** A part of a panel that shows one line until it is opened. Its content is rendered when open. */
export function Fold({ title, hint, openFirst = false, children }: FoldProps) {
  const [open, setOpen] = useState(openFirst);
  const [wasFirst, setWasFirst] = useState(openFirst);
  if (openFirst !== wasFirst) {
    setWasFirst(openFirst);
    if (openFirst) setOpen(true);
  }
  return (
    <details
      className={fold.fold}
      open={open}
      onToggle={(event) => {
        // The event of a fold inside this one bubbles up in React.
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        <IconChevronRight size={14} stroke={2.2} aria-hidden className={fold.chevron} />
        <span className={fold.title}>{title}</span>
        {hint !== undefined && <span className={fold.hint}>{hint}</span>}
      </summary>
      {open && <div className={fold.body}>{children}</div>}
    </details>
  );
}

/** A framed list whose entries have text on the left and actions on the right. */
export function RowList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={`ts-panel ${list.list ?? ''}`} aria-label={label}>
      {children}
    </ul>
  );
}
