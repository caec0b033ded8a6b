import { NumberInput, Select, Switch } from '@mantine/core';
import {
  needsBaseUrl,
  providerTable,
  reasoningEfforts,
  wireApiOf,
  type RemoteProvider,
} from '../../../../src-shared/domain/provider.ts';
import { modelFields } from '../../../../src-shared/domain/modelFields.ts';
import { additionNames } from '../../../../src-shared/domain/requestAdditions.ts';
import { wireApis, wireFormats } from '../../../../src-shared/domain/wireFormat.ts';
import { AdditionFields } from '../../../models/AdditionFields.tsx';
import classes from '../evaluations.module.css';
import type { ModelRow } from './modelRow.ts';
import { ticked } from '../../../ui/fields/typed.ts';

const limits = ['contextTokens', 'requestsPerMinute', 'maxWait'] as const;

interface ModelOptionFieldsProps {
  provider: RemoteProvider;
  row: ModelRow;
  faultOf: (field: string) => string | undefined;
  onEdit: (part: Partial<ModelRow>) => void;
}

/** The settings of one model. All of them identify its runs. */
export function ModelOptionFields({ provider, row, faultOf, onEdit }: ModelOptionFieldsProps) {
  const { efforts, wireFormats: offered } = providerTable[provider];
  const format = wireFormats[wireApiOf(row) ?? offered[0]];
  const formats = wireApis
    .filter((each) => offered.some((other) => other === each))
    .map((each) => wireFormats[each]);
  const confidences = [
    { value: 'none', label: 'Agreement of 3 or more repetitions' },
    ...(format.logprobs ? [{ value: 'logprobs', label: 'Token probabilities (logprobs)' }] : []),
    { value: 'self_report', label: 'Self-report (one more request)' },
  ];
  return (
    <details
      className={classes.fold}
      open={
        [...limits, 'reasoningEffort', ...additionNames].some(
          (field) => faultOf(field) !== undefined,
        ) || undefined
      }
    >
      <summary>Model options</summary>
      <div className={`${classes.numbers ?? ''} ${classes.panelBody ?? ''}`}>
        <Select
          label="Reasoning effort"
          description="In the provider’s words"
          placeholder="Not sent"
          clearable
          data={efforts}
          value={row.reasoningEffort}
          error={faultOf('reasoningEffort')}
          onChange={(value) =>
            onEdit({ reasoningEffort: reasoningEfforts.find((effort) => effort === value) ?? null })
          }
        />
        {formats.length > 1 && (
          <Select
            label="Wire format"
            description="API of the requests"
            data={formats.flatMap(({ api, label }) =>
              api === null ? [] : [{ value: api, label }],
            )}
            value={format.api}
            onChange={(value) => {
              const chosen = formats.find(({ api }) => api === value) ?? format;
              onEdit({
                api: chosen.api,
                ...(!chosen.logprobs && row.confidence === 'logprobs' && { confidence: 'none' }),
                ...(!chosen.deferTools && { deferTools: false }),
              });
            }}
          />
        )}
        <Select
          label="Confidence"
          description="How it is measured"
          data={confidences}
          value={row.confidence}
          onChange={(value) =>
            onEdit({ confidence: value === 'logprobs' || value === 'self_report' ? value : 'none' })
          }
        />
        {limits.map((name) => {
          const { label, description, placeholder, min } = modelFields[name].form;
          const isKnown = name === 'contextTokens' && !needsBaseUrl(provider);
          return (
            <NumberInput
              key={name}
              label={label}
              description={description}
              placeholder={isKnown ? 'As known' : placeholder}
              min={min}
              allowDecimal={false}
              value={row[name]}
              error={faultOf(name)}
              onChange={(value) => onEdit({ [name]: value })}
            />
          );
        })}
      </div>
      <div className={classes.stack} style={{ marginTop: 12 }}>
        <AdditionFields value={row} faultOf={faultOf} onChange={onEdit} />
        {(['strict', 'deferTools'] as const)
          .filter((name) => format[name])
          .map((name) => (
            <Switch
              key={name}
              {...modelFields[name].form}
              {...ticked(row[name], (isOn) => onEdit({ [name]: isOn }))}
            />
          ))}
      </div>
    </details>
  );
}
