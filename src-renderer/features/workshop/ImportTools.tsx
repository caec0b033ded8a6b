import { Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconUpload } from '@tabler/icons-react';
import { Action } from '../../ui/fields/controls.tsx';
import { useApi } from '../../api/index.ts';
import { ChooseFile } from '../../ui/files/ChooseFile.tsx';
import { Notice, showDone, useAct } from '../../ui/notices/notices.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { readChosenFiles } from './readChosenFiles.ts';
import { ConfirmDialog } from '../../ui/panels/ConfirmDialog.tsx';

const words = { create: 'new', save: 'a new version', same: 'unchanged' } as const;

/**
 * Imports tools from files, each JSON file with its script: previewed first, written on
 * confirmation.
 */
export function ImportTools() {
  const { client, queries, reread } = useApi();
  const preview = useAct(async (chosen: File[]) => {
    const files = await readChosenFiles(chosen);
    return { files, found: await client.workshop.previewImport({ files }) };
  });
  const bring = useMutation({
    mutationFn: (files: { path: string; text: string }[]) => client.workshop.import({ files }),
    onSuccess: async ({ tools }) => {
      preview.reset();
      showDone(`Imported ${counted(tools.filter(({ act }) => act !== 'same').length, 'tool')}.`);
      await reread(queries.workshop);
    },
  });
  const close = (): void => {
    preview.reset();
    bring.reset();
  };
  const shown = preview.data;
  return (
    <>
      <ChooseFile multiple accept=".json,.py,.sh,.zip" onFiles={preview.mutate}>
        {(props) => (
          <Action label="Import" {...props} icon={IconUpload} loading={preview.isPending} />
        )}
      </ChooseFile>
      {shown !== undefined && (
        <ConfirmDialog
          title="Import tools"
          size="lg"
          confirm={`Import ${counted(shown.found.tools.length, 'tool')}`}
          disabled={shown.found.problems.length > 0}
          loading={bring.isPending}
          error={bring.error}
          onConfirm={() => bring.mutate(shown.files)}
          onClose={close}
        >
          {shown.found.problems.map(({ file, line, column, message }, index) => (
            <Notice key={index} tone="danger">
              <span className="ts-foreign">
                {file}
                {line === null
                  ? ''
                  : `, line ${line}${column === null ? '' : `, column ${column}`}`}
                : {message}
              </span>
            </Notice>
          ))}
          {shown.found.tools.map(({ file, name, act }) => (
            <Group key={file} justify="space-between">
              <Text className="ts-foreign" ff="monospace" size="sm">
                {name}
              </Text>
              <p className="ts-quiet">{words[act]}</p>
            </Group>
          ))}
        </ConfirmDialog>
      )}
    </>
  );
}
