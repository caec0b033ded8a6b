import { NumberInput, Select, Switch } from '@mantine/core';
import { reasoningEfforts, type ReasoningEffort } from '../../../../src-shared/domain/model.ts';
import classes from '../evaluations.module.css';
import type { ModelRow } from './modelRow.ts';

const effortsOf: Readonly<Record<string, readonly ReasoningEffort[]>> = {
  anthropic: ['low', 'medium', 'high', 'xhigh', 'max'],
  openai: reasoningEfforts.filter((effort) => effort !== 'max'),
  'openai-compatible': reasoningEfforts.filter((effort) => effort !== 'max'),
};

interface ModelOptionFieldsProps {
  row: ModelRow;
  faultOf: (field: string) => string | undefined;
  onEdit: (part: Partial<ModelRow>) => void;
}

/** How one model is asked. All of it identifies its runs. */
export function ModelOptionFields({ row, faultOf, onEdit }: ModelOptionFieldsProps) {
  const responses = row.provider === 'openai' ? row.api !== 'chat' : row.api === 'responses';
  const chat = row.provider !== 'anthropic' && !responses;
  const confidences = [
    { value: 'none', label: 'agreement, from 3 repetitions' },
    ...(chat ? [{ value: 'logprobs', label: 'logprobs, where it returns them' }] : []),
    { value: 'self_report', label: 'self-report in a further question' },
  ];
  return (
    <details
      className={classes.fold}
      open={
        ['contextTokens', 'requestsPerMinute', 'reasoningEffort'].some(
          (field) => faultOf(field) !== undefined,
        ) || undefined
      }
    >
      <summary>Options of this model</summary>
      <div className={`${classes.numbers ?? ''} ${classes.panelBody ?? ''}`}>
        <Select
          label="Reasoning effort"
          description="as the provider names it"
          placeholder="not sent"
          clearable
          data={effortsOf[row.provider] ?? []}
          value={row.reasoningEffort}
          error={faultOf('reasoningEffort')}
          onChange={(value) => {
            onEdit({
              reasoningEffort: reasoningEfforts.find((effort) => effort === value) ?? null,
            });
          }}
        />
        {row.provider !== 'anthropic' && (
          <Select
            label="Wire format"
            description="of the requests"
            data={[
              { value: 'responses', label: 'Responses' },
              { value: 'chat', label: 'Chat Completions' },
            ]}
            allowDeselect={false}
            value={row.api ?? (row.provider === 'openai' ? 'responses' : 'chat')}
            onChange={(value) => {
              onEdit({
                api: value === 'chat' ? 'chat' : 'responses',
                ...(value === 'responses' &&
                  row.confidence === 'logprobs' && { confidence: 'none' }),
                ...(value === 'chat' && { deferTools: false }),
              });
            }}
          />
        )}
        <Select
          label="Confidence"
          description="where its number comes from"
          data={confidences}
          allowDeselect={false}
          value={row.confidence}
          onChange={(value) => {
            onEdit({
              confidence: value === 'logprobs' || value === 'self_report' ? value : 'none',
            });
          }}
        />
        <NumberInput
          label="Context"
          description="tokens it takes at once"
          placeholder={row.provider === 'openai-compatible' ? 'not checked' : 'as known'}
          min={1000}
          allowDecimal={false}
          value={row.contextTokens}
          error={faultOf('contextTokens')}
          onChange={(contextTokens) => {
            onEdit({ contextTokens });
          }}
        />
        <NumberInput
          label="Requests a minute"
          description="at most; overload slows down by itself"
          placeholder="no bound"
          min={1}
          allowDecimal={false}
          value={row.requestsPerMinute}
          error={faultOf('requestsPerMinute')}
          onChange={(requestsPerMinute) => {
            onEdit({ requestsPerMinute });
          }}
        />
      </div>
      <div className={classes.stack} style={{ marginTop: 12 }}>
        {row.provider !== 'anthropic' && (
          <Switch
            label="Strict mode"
            description="The provider holds arguments to the schema, which it takes in a narrower form. Arguments are judged by the published one."
            checked={row.strict}
            onChange={(event) => {
              onEdit({ strict: event.currentTarget.checked });
            }}
          />
        )}
        {(row.provider === 'anthropic' || responses) && (
          <Switch
            label="Deferred tools"
            description="The provider's own tool search finds them. Add the same model without it to see tokens saved and selections changed."
            checked={row.deferTools}
            onChange={(event) => {
              onEdit({ deferTools: event.currentTarget.checked });
            }}
          />
        )}
      </div>
    </details>
  );
}
