import { Autocomplete, Select, TextInput, Tooltip } from '@mantine/core';
import type { EnvironmentValues } from '../../../../src-shared/domain/environmentDefaults.ts';
import { playedFields } from '../../../../src-shared/domain/modelFields.ts';
import { isRemote, providers, providerTable } from '../../../../src-shared/domain/provider.ts';
import classes from '../evaluations.module.css';
import { emptyRow, providerChoices, type ModelRow } from './modelRow.ts';
import { RemoteModelFields } from './RemoteModelFields.tsx';
import { AddButton, RemoveButton, typed } from '../../../ui/fields/controls.tsx';

/** What is behind the first choice, which needs no key. */
const builtinMeaning = 'Picks tools by comparing words. Free and offline: a baseline for models.';

interface ModelFieldsProps {
  rows: readonly ModelRow[];
  faults: ReadonlyMap<string, string>;
  environment: EnvironmentValues;
  onChange: (rows: ModelRow[]) => void;
}

/** The models to evaluate, one per row. Each gets every case. */
export function ModelFields({ rows, faults, environment, onChange }: ModelFieldsProps) {
  const edit = (key: number, part: Partial<ModelRow>): void =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
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
              onChange={(value) =>
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
                )
              }
            />
            <PlayedFields
              row={row}
              faultOf={(field) => faults.get(`models.${index}.${field}`)}
              onChange={(part) => edit(row.key, part)}
            />
            {rows.length > 1 && (
              <Tooltip label="Remove this model">
                <RemoveButton
                  label={`Remove model ${index + 1}`}
                  size="lg"
                  ml="auto"
                  onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
                />
              </Tooltip>
            )}
          </div>
          {isRemote(row.provider) && (
            <RemoteModelFields
              key={row.provider}
              row={row}
              faultOf={(field) => faults.get(`models.${index}.${field}`)}
              onEdit={(part) => edit(row.key, part)}
            />
          )}
        </div>
      ))}
      <div>
        <AddButton label="Add model" onClick={add} />
      </div>
    </div>
  );
}

interface PlayedFieldsProps {
  row: ModelRow;
  faultOf: (field: string) => string | undefined;
  onChange: (part: Partial<ModelRow>) => void;
}

function PlayedFields({ row, faultOf, onChange }: PlayedFieldsProps) {
  const { kind } = providerTable[row.provider];
  if (kind === 'local' || kind === 'endpoint') return null;
  const { model, from, field } = playedFields[kind];
  return (
    <>
      <Autocomplete
        w={180}
        {...model}
        value={row.model}
        onChange={(model) => onChange({ model })}
        maxLength={100}
        error={row.model === '' ? undefined : faultOf('model')}
      />
      <TextInput
        flex={1}
        miw={200}
        {...from}
        {...typed(row[field], (text) => onChange({ [field]: text }))}
        error={row[field] === '' ? undefined : faultOf(field)}
      />
    </>
  );
}
