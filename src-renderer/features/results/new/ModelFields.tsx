import { ActionIcon, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { EnvironmentValues } from '../../../../src-shared/domain/environmentDefaults.ts';
import { isRemote, providers, providerTable } from '../../../../src-shared/domain/provider.ts';
import classes from '../evaluations.module.css';
import { emptyRow, providerChoices, type ModelRow } from './modelRow.ts';
import { RemoteModelFields } from './RemoteModelFields.tsx';

/** What is behind the first choice, which needs no key. */
const builtinMeaning = 'Picks tools by comparing words. Free and offline: a baseline for models.';

interface ModelFieldsProps {
  rows: readonly ModelRow[];
  faults: ReadonlyMap<string, string>;
  /** What new rows begin with. */
  environment: EnvironmentValues;
  onChange: (rows: ModelRow[]) => void;
}

/** The models to evaluate, one per row. Each gets every case. */
export function ModelFields({ rows, faults, environment, onChange }: ModelFieldsProps) {
  const edit = (key: number, part: Partial<ModelRow>): void => {
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  };
  const add = (): void => {
    const key = Math.max(0, ...rows.map((row) => row.key)) + 1;
    onChange([...rows, emptyRow(key, 'openai', environment)]);
  };
  return (
    <div className={classes.stack}>
      {rows.map((row, index) => (
        <div
          key={row.key}
          role="group"
          aria-label={`Model ${index + 1}`}
          className={rows.length > 1 ? `ts-panel ${classes.box ?? ''}` : undefined}
        >
          <div className={classes.modelRow}>
            <Select
              w={270}
              label="Provider"
              description={row.provider === 'builtin' ? builtinMeaning : undefined}
              data={providerChoices}
              value={row.provider}
              allowDeselect={false}
              onChange={(value) => {
                onChange(
                  rows.map((each) =>
                    each.key === row.key
                      ? emptyRow(
                          row.key,
                          providers.find((one) => one === value) ?? 'builtin',
                          environment,
                        )
                      : each,
                  ),
                );
              }}
            />
            {providerTable[row.provider].kind === 'recording' && (
              <>
                <TextInput
                  w={180}
                  label="Recorded model"
                  placeholder="Name in the recording"
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
                  error={
                    row.replayFile === '' ? undefined : faults.get(`models.${index}.replayFile`)
                  }
                  onChange={(event) => {
                    edit(row.key, { replayFile: event.currentTarget.value });
                  }}
                />
              </>
            )}
            {providerTable[row.provider].kind === 'program' && (
              <>
                <TextInput
                  w={180}
                  label="Model"
                  placeholder="A name for results"
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
                  label="Command"
                  placeholder="/path/to/program --option"
                  value={row.command}
                  error={row.command === '' ? undefined : faults.get(`models.${index}.command`)}
                  onChange={(event) => {
                    edit(row.key, { command: event.currentTarget.value });
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
                  ml="auto"
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
          {isRemote(row.provider) && (
            <RemoteModelFields
              key={row.provider}
              row={row}
              faultOf={(field) => faults.get(`models.${index}.${field}`)}
              onEdit={(part) => {
                edit(row.key, part);
              }}
            />
          )}
        </div>
      ))}
      <div>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
        >
          Add model
        </Button>
      </div>
    </div>
  );
}
