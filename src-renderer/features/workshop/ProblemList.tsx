import { List, Text } from '@mantine/core';
import type { ToolProblem } from '../../../src-shared/domain/workshop.ts';
import { Notice } from '../../ui/notices/notices.tsx';

const fieldLabels: Record<string, string> = {
  name: 'Name',
  displayName: 'Display name',
  description: 'Description',
  tags: 'Tags',
  inputSchema: 'Input schema',
  outputSchema: 'Output schema',
  executorConfig: 'Executor settings',
  scriptContent: 'Script',
};

/** What a draft is missing, one field per line. */
export function ProblemList(props: { title: string; problems: readonly ToolProblem[] }) {
  const { title, problems } = props;
  return (
    <Notice tone="neutral">
      <Text size="sm" fw={500}>
        {title}:
      </Text>
      <List size="sm" aria-label={title}>
        {firstOfEachField(problems).map(({ label, message }) => (
          <List.Item key={label} className="ts-foreign">
            {label}: {message}
          </List.Item>
        ))}
      </List>
    </Notice>
  );
}

/** The first problem of each field, because fixing it may also fix the next one. */
function firstOfEachField(problems: readonly ToolProblem[]): { label: string; message: string }[] {
  const found = new Map<string, string>();
  for (const { field, message } of problems) {
    const label = fieldLabels[field.split('.', 1)[0] ?? ''] ?? field;
    if (!found.has(label)) found.set(label, message);
  }
  return [...found].map(([label, message]) => ({ label, message }));
}
