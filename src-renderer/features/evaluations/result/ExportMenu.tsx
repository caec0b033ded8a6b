import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { reportFileName, type ReportFormat } from '../../../../src-shared/domain/report.ts';
import { useSaveReport } from '../../../saving/useSaveReport.ts';

const choices: readonly { format: ReportFormat; short?: boolean; label: string }[] = [
  { format: 'html', label: 'HTML, one file' },
  { format: 'md', label: 'Markdown' },
  { format: 'md', short: true, label: 'Markdown for a comment' },
  { format: 'json', label: 'JSON' },
  { format: 'csv', label: 'CSV, a run a line' },
  { format: 'junit', label: 'JUnit XML' },
];

/** Saves a report of the evaluation. */
export function ExportMenu({ evaluation: { id, number, suiteName } }: { evaluation: Evaluation }) {
  const save = useSaveReport();
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
              save.mutate({ fileName: reportFileName(number, suiteName, choice.format), content: { from: 'evaluation', report: { id, short: false, stamp: null, ...choice } } });
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
