import { formatDuration } from '../../../src-shared/display/numbers.ts';
import { Group, Stack, Text } from '@mantine/core';
import type { z } from 'zod';
import type { callResult } from '../../../src-shared/contract/servers.ts';
import { CodeView } from '../../ui/text/CodeView.tsx';
import { JsonText } from '../../ui/text/JsonText.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { textOfContent } from './toolCall.ts';

/** A server's answer, as data: text stays text, everything else is shown as JSON. */
export function CallOutcome({ result }: { result: z.infer<typeof callResult> }) {
  return (
    <Stack gap="sm">
      <Group gap="md">
        <StatusBadge
          tone={result.isError ? 'bad' : 'good'}
          label={result.isError ? 'The tool answered with an error' : 'The tool answered'}
        />
        <Text size="sm" c="dimmed" className="ts-number">
          {formatDuration(result.durationMs)}
        </Text>
      </Group>
      {result.content.map((item, index) => {
        const text = textOfContent(item);
        const label = result.content.length > 1 ? `Content ${index + 1}` : 'Content';
        return text === null ? (
          <JsonText key={index} value={item} label={label} />
        ) : (
          <CodeView key={index} text={text} label={label} />
        );
      })}
      {result.content.length === 0 && result.structuredContent === null && (
        <Text c="dimmed">The answer is empty.</Text>
      )}
      {result.structuredContent !== null && (
        <JsonText value={result.structuredContent} label="Structured content" />
      )}
    </Stack>
  );
}
