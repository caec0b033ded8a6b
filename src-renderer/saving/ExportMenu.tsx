import { Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Action } from '../ui/fields/controls.tsx';
import {
  safeReportFileName,
  formatsBySubject,
  reportFormats,
  reportFormatTable,
  subjectsWithFirstPage,
  type ReportFormat,
  type ReportSubject,
  type ShownResult,
} from '../../src-shared/domain/report.ts';
import { useSaveReport } from './useSaveReport.ts';

interface Choice {
  format: ReportFormat;
  short: boolean;
  label: string;
}

const choices = reportFormats.flatMap((format): Choice[] => {
  const { label, shortLabel } = reportFormatTable[format];
  return [
    ...(label === null ? [] : [{ format, short: false, label }]),
    ...(shortLabel === null ? [] : [{ format, short: true, label: shortLabel }]),
  ];
});

interface ExportMenuProps {
  subject: ReportSubject;
  formats: readonly ReportFormat[];
  pending: boolean;
  disabled?: boolean;
  onChoose: (choice: Choice) => void;
}

export function ExportMenu(props: ExportMenuProps) {
  const { subject, formats, pending, disabled = false, onChoose } = props;
  const hasFirstPage = subjectsWithFirstPage.includes(subject);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Action label="Export" icon={IconDownload} loading={pending} disabled={disabled} />
      </Menu.Target>
      <Menu.Dropdown>
        {choices
          .filter(
            ({ format, short }) =>
              formats.includes(format) && (hasFirstPage || !short || format !== 'html'),
          )
          .map((choice) => (
            <Menu.Item key={choice.label} onClick={() => onChoose(choice)}>
              {choice.label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ShownExportProps {
  subject: ReportSubject;
  /** The part of the file name after the subject. */
  name: string;
  /** Null while there is nothing to export yet. */
  shown: ShownResult | null;
  /** Formats that need data which the screen does not have. */
  without?: readonly ReportFormat[];
}

/** Saves a report of exactly what a screen shows. */
export function ShownExport({ subject, name, shown, without = [] }: ShownExportProps) {
  const save = useSaveReport();
  return (
    <ExportMenu
      subject={subject}
      formats={formatsBySubject[subject].filter((format) => !without.includes(format))}
      pending={save.isPending}
      disabled={shown === null}
      onChoose={({ format, short }) => {
        if (shown !== null)
          save.mutate({
            fileName: safeReportFileName(subject, name, format),
            content: { from: 'shown', report: { shown, format, short, stamp: null } },
          });
      }}
    />
  );
}
