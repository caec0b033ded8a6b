import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { reportFileName, type ReportFormat, reportKinds } from '../../../../src-shared/domain/report.ts';
import { useApi } from '../../../api/index.ts';
import { saveTextFile } from '../../../ui/saveTextFile.ts';
import { showFailure } from '../../../ui/UndoNotice.tsx';

const choices: readonly { format: ReportFormat; short?: boolean; label: string }[] = [
  { format: 'html', label: 'HTML, one file' },
  { format: 'md', label: 'Markdown' },
  { format: 'md', short: true, label: 'Markdown for a comment' },
  { format: 'json', label: 'JSON' },
  { format: 'csv', label: 'CSV, a run a line' },
  { format: 'junit', label: 'JUnit XML' },
];

/** Saves a report of the evaluation as a download. It comes in parts, so that a large one never stands in memory twice. */
export function ExportMenu({ evaluation: { id, number, suiteName } }: { evaluation: Evaluation }) {
  const { client } = useApi();
  const save = useMutation({
    mutationFn: async ({ format, short = false }: { format: ReportFormat; short?: boolean }) => {
      const parts: string[] = [];
      for await (const { text } of await client.reports.export({ id, format, short })) parts.push(text);
      saveTextFile(reportFileName(number, suiteName, format), parts, reportKinds[format].mediaType);
    },
    onError: showFailure,
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} loading={save.isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ label, ...choice }) => (
          <Menu.Item
            key={label}
            onClick={() => {
              save.mutate(choice);
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
