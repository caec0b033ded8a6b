import { Text } from '@mantine/core';
import { useState } from 'react';
import { type ExportFormat, exportFormat } from '../../../src-shared/contract/suites.ts';
import { foreignFormatTable } from '../../../src-shared/domain/foreignFormat.ts';
import { useRead } from '../../api/index.ts';
import { ExportDialog } from '../../ui/files/ExportDialog.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';

const formats: Readonly<Record<ExportFormat, { exportLabel: string; mediaType: string }>> = {
  yaml: { exportLabel: 'Touchstone, as YAML', mediaType: 'application/yaml' },
  json: { exportLabel: 'Touchstone, as JSON', mediaType: 'application/json' },
  ...foreignFormatTable,
};

/** Exports a suite in this or another program's format, and lists losses before it is saved. */
export function ExportSuite({ suiteId, onClose }: { suiteId: string; onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('yaml');
  const file = useRead((ask) => ask.suites.export, {
    input: { id: suiteId, format },
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <ExportDialog
      title="Export suite"
      label="Format"
      formats={exportFormat.options.map((value) => ({
        value,
        label: formats[value].exportLabel,
        mediaType: formats[value].mediaType,
      }))}
      format={format}
      onFormat={setFormat}
      file={file}
      lossesOf={({ losses }) =>
        losses.map(({ case: name, what }) => (name === null ? what : `${name}: ${what}`))
      }
      onClose={onClose}
    >
      {({ fileName }, losses) =>
        losses === 0 && (
          <Text size="sm">
            This format keeps everything. File name:{' '}
            <PlainText as="span" className="ts-mono" text={fileName} />.
          </Text>
        )
      }
    </ExportDialog>
  );
}
