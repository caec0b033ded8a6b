import { Button, Group, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { patchFormats, type PatchFormat } from '../../../../src-shared/domain/rewrite.ts';
import { saveTextFile } from '../../../ui/files/saveTextFile.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { CodeView } from '../../../ui/text/CodeView.tsx';
import classes from './fix.module.css';

const labels: Record<PatchFormat, string> = {
  markdown: 'Markdown',
  diff: 'Unified diff',
  json_patch: 'JSON Patch',
  tools_file: 'Tools file',
};

interface PatchFileProps {
  patch: { data: { fileName: string; text: string } | undefined; error: Error | null };
  format: PatchFormat;
  onFormat: (format: PatchFormat) => void;
  /** True if the export is the next step of the page. */
  filled: boolean;
  /** Notes between the text and the button. */
  children?: ReactNode;
}

/** A change as a file in the chosen format, with its export. */
export function PatchFile({ patch, format, onFormat, filled, children }: PatchFileProps) {
  return (
    <div className={classes.body}>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Format"
        data={patchFormats.map((value) => ({ value, label: labels[value] }))}
        value={format}
        onChange={(value) => {
          onFormat(value);
        }}
      />
      {patch.error !== null && <ErrorNotice error={patch.error} />}
      {patch.data && <CodeView text={patch.data.text} maxHeight={260} />}
      {children}
      <Group>
        <Button
          variant={filled ? 'filled' : 'default'}
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={patch.data === undefined}
          onClick={() => {
            if (patch.data) saveTextFile(patch.data.fileName, patch.data.text, 'text/plain');
          }}
        >
          {format === 'tools_file' ? 'Export tools' : 'Export patch'}
        </Button>
      </Group>
    </div>
  );
}
