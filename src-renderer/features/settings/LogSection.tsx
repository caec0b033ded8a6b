import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Action } from '../../ui/fields/Action.tsx';
import { useApi } from '../../api/index.ts';
import { CopyButton } from '../../ui/text/CopyButton.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { Section } from '../../ui/panels/Section.tsx';

const shownLines = 200;

/** The end of the program's log. */
export function LogSection() {
  const { queries } = useApi();
  const log = useQuery(
    queries.settings.log.queryOptions({ input: { lines: shownLines }, staleTime: 0 }),
  );
  const text = log.data?.lines.join('\n') ?? '';
  const shown = useRef<HTMLPreElement>(null);
  // Scrolls to the newest line, which is what people look for.
  useEffect(() => {
    shown.current?.scrollTo({ top: shown.current.scrollHeight });
  }, [text]);
  return (
    <Section
      title="Log"
      aside={
        <Group gap="xs">
          <Action
            label="Refresh"
            variant="subtle"
            color="gray"
            c="var(--ts-ink-muted)"
            size="compact-xs"
            loading={log.isFetching}
            onClick={() => void log.refetch()}
          />
          <CopyButton text={text} label="Copy log" />
        </Group>
      }
    >
      <Loaded query={log} blocks={[120]}>
        {({ file, lines }) => (
          <>
            <Text c="dimmed" size="sm" mb="xs">
              {file === null ? (
                'No log is written here.'
              ) : (
                <>
                  The last {shownLines} lines of <span className="ts-mono">{file}</span>. Keys are
                  redacted. The log stays on this computer unless you send it.
                </>
              )}
            </Text>
            {file !== null && lines.length === 0 && <Text size="sm">The log is empty.</Text>}
            {lines.length > 0 && (
              <pre
                ref={shown}
                role="region"
                className="ts-panel ts-mono ts-foreign"
                tabIndex={0}
                aria-label="End of the log"
                style={{
                  margin: 0,
                  padding: 12,
                  maxHeight: 260,
                  overflow: 'auto',
                  whiteSpace: 'pre-wrap',
                  fontSize: 12,
                }}
              >
                <PlainText text={text} />
              </pre>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
