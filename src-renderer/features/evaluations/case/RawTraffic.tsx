import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeView } from '../../../ui/text/CodeView.tsx';
import { CopyButton } from '../../../ui/text/CopyButton.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';

/** Larger JSON is shown without indentation. Copying always uses the original text. */
const maxIndented = 500_000;

function indented(raw: string): string {
  if (raw.length > maxIndented) return raw;
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    return raw;
  }
}

export function RawTraffic({
  request,
  response,
}: {
  request: string | null;
  response: string | null;
}) {
  return (
    <Section title="Raw exchange">
      <Raw label="Raw request" raw={request} />
      <Raw label="Raw response" raw={response} />
    </Section>
  );
}

function Raw({ label, raw }: { label: string; raw: string | null }) {
  const [open, setOpen] = useState(false);
  if (raw === null) {
    return (
      <Text size="sm" c="dimmed">
        {label}: none is kept. It was never sent, or raw traffic was deleted.
      </Text>
    );
  }
  return (
    <details
      className={classes.fold}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        {label}{' '}
        <Text span size="xs" c="dimmed">
          {counted(raw.length, 'character')}
        </Text>
      </summary>
      {open && (
        <>
          <Group justify="flex-end" mb={4}>
            <CopyButton text={raw} label="Copy as sent" what={label} />
          </Group>
          <CodeView label={label} text={indented(raw)} copy={false} maxHeight={420} />
        </>
      )}
    </details>
  );
}
