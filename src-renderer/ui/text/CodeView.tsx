import { Group } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../fields/controls.tsx';
import classes from './CodeView.module.css';
import { CopyButton } from './CopyButton.tsx';
import { TextParts, firstCharacters } from './Foreign.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';

interface CodeViewProps {
  text: string;
  /** Shown above the text; also names the region for screen readers. */
  label?: string;
  maxHeight?: number;
  /** Characters rendered at first; the rest on request. */
  limit?: number;
  copy?: boolean;
}

/** Monospace plain text that wraps, scrolls and copies; never markup. */
export function CodeView(props: CodeViewProps) {
  const { text, label, maxHeight = 360, limit = 40_000, copy = true } = props;
  const [expanded, setExpanded] = useState(false);
  const rest = text.length - limit;
  return (
    <div className={classes.view}>
      {(label !== undefined || copy) && (
        <Group justify="space-between" className={classes.head} gap="sm" wrap="nowrap">
          <span className={classes.label}>{label}</span>
          {copy && <CopyButton text={text} {...(label === undefined ? {} : { what: label })} />}
        </Group>
      )}
      <pre
        className={classes.text}
        style={{ maxHeight: `calc(round(down, ${maxHeight - 16}px, 1lh) + 16px)` }}
        tabIndex={0}
        role="region"
        aria-label={label ?? 'Text'}
        dir="auto"
      >
        <TextParts text={expanded ? text : firstCharacters(text, limit)} />
      </pre>
      {!expanded && rest > 0 && (
        <Action
          label={`Show ${counted(rest, 'more character')}`}
          small
          m="sm"
          onClick={() => setExpanded(true)}
        />
      )}
    </div>
  );
}

interface JsonTextProps {
  value: unknown;
  label?: string;
  maxHeight?: number;
}

/** A JSON value, indented, as plain text. */
export function JsonText({ value, ...rest }: JsonTextProps) {
  return <CodeView text={value === undefined ? '' : JSON.stringify(value, null, 2)} {...rest} />;
}
