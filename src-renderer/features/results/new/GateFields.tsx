import { NumberInput, Select, Tooltip } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Action, RemoveButton, choosing, options } from '../../../ui/fields/controls.tsx';
import { isRateMetric, type Threshold } from '../../../../src-shared/domain/gate.ts';
import classes from '../evaluations.module.css';
import { emptyGate, gateChoices, withMetric, type GateRow } from './gateRow.ts';

const bounds: { value: Threshold['bound']; label: string }[] = [
  { value: 'value', label: 'Measured value' },
  { value: 'low', label: 'Lower bound (95%)' },
  { value: 'high', label: 'Upper bound (95%)' },
];

interface GateFieldsProps {
  rows: readonly GateRow[];
  faults: ReadonlyMap<string, string>;
  onChange: (rows: GateRow[]) => void;
}

/** Thresholds for the result; each is passed, failed or undecided. */
export function GateFields({ rows, faults, onChange }: GateFieldsProps) {
  const put = (changed: GateRow): void =>
    onChange(rows.map((row) => (row.key === changed.key ? changed : row)));
  return (
    <div className={classes.stack}>
      <p className="ts-quiet">
        A gate is a limit that the result must meet, such as a pass rate of at least 0.9.
        {rows.length > 0 &&
          ' With the lower bound, the whole 95% interval must meet it. A gate is undecided if its metric is undefined.'}
      </p>
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
            searchable
            {...choosing(row.metric, (metric) => put(withMetric(row, metric)))}
          />
          <Select
            label="Compare"
            w={170}
            data={isRateMetric(row.metric) ? bounds : bounds.slice(0, 1)}
            {...choosing(row.bound, (bound) => put({ ...row, bound }))}
          />
          <Select
            label="Must be"
            w={120}
            data={options({ min: 'At least', max: 'At most' })}
            {...choosing(row.side, (side) => put({ ...row, side }))}
          />
          <NumberInput
            label="Limit"
            w={120}
            min={0}
            step={isRateMetric(row.metric) ? 0.05 : 1}
            {...(isRateMetric(row.metric) ? { max: 1 } : {})}
            value={row.limit}
            error={row.limit === '' ? undefined : faults.get(`gates.${index}.limit`)}
            onChange={(limit) => put({ ...row, limit })}
          />
          <Tooltip label="Remove this gate">
            <RemoveButton
              label={`Remove gate ${index + 1}`}
              size="lg"
              onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
            />
          </Tooltip>
        </div>
      ))}
      <div>
        <Action
          label="Add gate"
          small
          icon={IconPlus}
          disabled={rows.length >= 50}
          onClick={() =>
            onChange([...rows, emptyGate(Math.max(0, ...rows.map(({ key }) => key)) + 1)])
          }
        />
      </div>
    </div>
  );
}
