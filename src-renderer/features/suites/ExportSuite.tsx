import { formatCount, counted } from '../../../src-shared/display/numbers.ts';
import { Modal, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ExportFormat, exportFormat } from '../../../src-shared/contract/suites.ts';
import { foreignFormatTable } from '../../../src-shared/domain/foreignFormat.ts';
import { useApi } from '../../api/index.ts';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { SaveFileActions } from '../../ui/files/SaveFileActions.tsx';
import { saveTextFile } from '../../ui/files/saveTextFile.ts';

const own = {
  yaml: { exportLabel: 'Touchstone, as YAML', mediaType: 'application/yaml' },
  json: { exportLabel: 'Touchstone, as JSON', mediaType: 'application/json' },
};
const formats: Readonly<Record<ExportFormat, { exportLabel: string; mediaType: string }>> = {
  ...own,
  ...foreignFormatTable,
};
const shownLosses = 100;

/** Exports a suite in this or another program's format, and lists losses before it is saved. */
export function ExportSuite({ suiteId, onClose }: { suiteId: string; onClose: () => void }) {
  const { queries } = useApi();
  const [format, setFormat] = useState<ExportFormat>('yaml');
  const made = useQuery(
    queries.suites.export.queryOptions({ input: { id: suiteId, format }, staleTime: 0, gcTime: 0 }),
  );
  return (
    <Modal opened onClose={onClose} title="Export suite" size="lg">
      <Stack gap="md">
        <Radio.Group
          label="Format"
          value={format}
          onChange={(value) =>
            setFormat(exportFormat.options.find((each) => each === value) ?? 'yaml')
          }
        >
          <Stack gap="xs" mt={4}>
            {exportFormat.options.map((each) => (
              <Radio key={each} value={each} label={formats[each].exportLabel} />
            ))}
          </Stack>
        </Radio.Group>
        <Loaded query={made} blocks={[80]}>
          {({ fileName, text, losses }) => (
            <Stack gap="md">
              {losses.length === 0 ? (
                <Text size="sm">
                  This format keeps everything. File name:{' '}
                  <span className="ts-mono">
                    <PlainText text={fileName} />
                  </span>
                  .
                </Text>
              ) : (
                <Notice tone="warning">
                  <Text>{counted(losses.length, 'thing')} this format can’t express:</Text>
                  <ul
                    style={{ margin: '4px 0 0', paddingLeft: 20, maxHeight: 240, overflow: 'auto' }}
                    tabIndex={0}
                    aria-label="What would be lost"
                  >
                    {losses.slice(0, shownLosses).map(({ case: name, what }, index) => (
                      <li key={index}>
                        <PlainText text={name === null ? what : `${name}: ${what}`} />
                      </li>
                    ))}
                  </ul>
                  {losses.length > shownLosses && (
                    <Text size="sm">And {formatCount(losses.length - shownLosses)} more.</Text>
                  )}
                </Notice>
              )}
              <SaveFileActions
                lossy={losses.length > 0}
                onSave={() => saveTextFile(fileName, text, formats[format].mediaType)}
                onClose={onClose}
              />
            </Stack>
          )}
        </Loaded>
      </Stack>
    </Modal>
  );
}
