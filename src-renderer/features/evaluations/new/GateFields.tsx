import { ActionIcon, Button, NumberInput, Select, Text, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { Threshold } from '../../../../src-shared/domain/gate.ts';
import classes from '../evaluations.module.css';
import { emptyGate, gateChoices, isRate, withMetric, type GateRow } from './gateRow.ts';

const bounds: { value: Threshold['bound']; label: string }[] = [
  { value: 'value', label: 'the value' },
  { value: 'low', label: 'lower bound (95%)' },
  { value: 'high', label: 'upper bound (95%)' },
];

interface GateFieldsProps {
  rows: readonly GateRow[];
  faults: ReadonlyMap<string, string>;
  onChange: (rows: GateRow[]) => void;
}

/** Thresholds for the result; each is passed, failed or undecided. */
export function GateFields({ rows, faults, onChange }: GateFieldsProps) {
  const put = (changed: GateRow): void => {
    onChange(rows.map((row) => (row.key === changed.key ? changed : row)));
  };
  return (
    <div className={classes.stack}>
      <Text size="sm" c="dimmed">
        A gate passes or fails; it is undecided if its metric is undefined. With the lower bound,
        the whole interval must clear the limit.
      </Text>
      {rows.map((row, index) => (
        <div
          key={row.key}
          role="group"
          aria-label={`Gate ${index + 1}`}
          className={classes.modelRow}
        >
          <Select
            label="Metric"
            w={280}
            data={gateChoices}
            value={row.metric}
            allowDeselect={false}
            searchable
            onChange={(value) => {
              if (value !== null) put(withMetric(row, value));
            }}
          />
          <Select
            label="Of it"
            w={170}
            data={isRate(row.metric) ? bounds : bounds.slice(0, 1)}
            value={row.bound}
            allowDeselect={false}
            onChange={(value) => {
              put({ ...row, bound: bounds.find((one) => one.value === value)?.value ?? 'value' });
            }}
          />
          <Select
            label="Must be"
            w={120}
            data={[
              { value: 'min', label: 'at least' },
              { value: 'max', label: 'at most' },
            ]}
            value={row.side}
            allowDeselect={false}
            onChange={(value) => {
              put({ ...row, side: value === 'max' ? 'max' : 'min' });
            }}
          />
          <NumberInput
            label="Limit"
            w={120}
            min={0}
            step={isRate(row.metric) ? 0.05 : 1}
            {...(isRate(row.metric) ? { max: 1 } : {})}
            value={row.limit}
            error={row.limit === '' ? undefined : faults.get(`gates.${index}.limit`)}
            onChange={(limit) => {
              put({ ...row, limit });
            }}
          />
          <Tooltip label="Remove this gate">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove gate ${index + 1}`}
              onClick={() => {
                onChange(rows.filter(({ key }) => key !== row.key));
              }}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      <div>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={rows.length >= 50}
          onClick={() => {
            onChange([...rows, emptyGate(Math.max(0, ...rows.map(({ key }) => key)) + 1)]);
          }}
        >
          Add a gate
        </Button>
      </div>
    </div>
  );
}
