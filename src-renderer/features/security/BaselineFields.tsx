import { Group, Select } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Action } from '../../ui/fields/Action.tsx';
import { useApi } from '../../api/index.ts';
import { ChooseFile } from '../../ui/files/ChooseFile.tsx';
import { readText } from '../../ui/files/readText.ts';
import { showFailure } from '../../ui/notices/UndoNotice.tsx';
import type { DetectionGate } from './useDetectionGate.ts';

const none = 'none';
const own = 'own';
const noLimits = { corpusVersion: null, half: null, limits: {} };

/** What the detectors have to reach: a baseline that comes with the program, a file, or limits. */
export function BaselineFields({ gate: { chosen, choose } }: { gate: DetectionGate }) {
  const { client, queries } = useApi();
  const bundled = useQuery(queries.security.baselines.queryOptions()).data ?? [];
  const value = chosen === null ? none : (chosen.fileName ?? own);
  const fromFile =
    chosen?.fileName != null && !bundled.some(({ fileName }) => fileName === chosen.fileName)
      ? [{ value: chosen.fileName, label: chosen.fileName }]
      : [];
  const open = async (file: File): Promise<void> => {
    try {
      const content = await readText(file);
      const baseline = await client.security.readBaseline({ fileName: file.name, content });
      choose({ fileName: file.name, baseline });
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Group align="end" gap="xs">
      <Select
        label="Baseline"
        w={240}
        data={[
          { value: none, label: 'No gate' },
          ...bundled.map(({ fileName }) => ({ value: fileName, label: fileName })),
          ...fromFile,
          { value: own, label: 'Your own limits' },
        ]}
        value={value}
        onChange={(next) => {
          if (next === none) choose(null);
          else if (next === own) choose({ fileName: null, baseline: noLimits });
          else choose(bundled.find(({ fileName }) => fileName === next) ?? chosen);
        }}
      />
      <ChooseFile accept=".json" onFiles={([file]) => void open(file)}>
        {(props) => <Action label="Open baseline" {...props} icon={IconFileUpload} />}
      </ChooseFile>
    </Group>
  );
}
