import { ActionIcon, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import classes from '../evaluations.module.css';
import { choices, choiceWords, type ModelRow } from './evaluationForm.ts';

interface ModelFieldsProps {
  rows: readonly ModelRow[];
  faults: ReadonlyMap<string, string>;
  onChange: (rows: ModelRow[]) => void;
}

/** Which models answer: each row is one, and each gets every case. */
export function ModelFields({ rows, faults, onChange }: ModelFieldsProps) {
  const edit = (key: number, part: Partial<ModelRow>): void => {
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  };
  const add = (): void => {
    onChange([...rows, { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, provider: 'replay', model: '', replayFile: '' }]);
  };
  return (
    <div className={classes.stack}>
      {rows.map((row, index) => (
        <div key={row.key} className={classes.modelRow} role="group" aria-label={`Model ${index + 1}`}>
          <Select
            w={220}
            label="Model"
            data={choices.map((value) => ({ value, label: choiceWords[value] }))}
            value={row.provider}
            allowDeselect={false}
            onChange={(value) => {
              edit(row.key, { provider: choices.find((one) => one === value) ?? 'builtin' });
            }}
          />
          {row.provider === 'replay' && (
            <>
              <TextInput
                w={180}
                label="Recorded model"
                placeholder="its name in the recording"
                value={row.model}
                maxLength={100}
                error={row.model === '' ? undefined : faults.get(`models.${index}.model`)}
                onChange={(event) => {
                  edit(row.key, { model: event.currentTarget.value });
                }}
              />
              <TextInput
                flex={1}
                miw={200}
                label="Recording file"
                placeholder="/path/to/recording.jsonl"
                value={row.replayFile}
                error={row.replayFile === '' ? undefined : faults.get(`models.${index}.replayFile`)}
                onChange={(event) => {
                  edit(row.key, { replayFile: event.currentTarget.value });
                }}
              />
            </>
          )}
          {rows.length > 1 && (
            <Tooltip label="Remove this model">
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`Remove model ${index + 1}`}
                onClick={() => {
                  onChange(rows.filter(({ key }) => key !== row.key));
                }}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      ))}
      <div>
        <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          Add a model
        </Button>
      </div>
    </div>
  );
}
