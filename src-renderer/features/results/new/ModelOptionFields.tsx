import { NumberInput, Select, Switch, Textarea } from '@mantine/core';
import {
  needsBaseUrl,
  providerTable,
  reasoningEfforts,
  wireApiOf,
  type RemoteProvider,
} from '../../../../src-shared/domain/provider.ts';
import { additionForms, additionNames } from '../../../../src-shared/domain/requestAdditions.ts';
import { wireApis, wireFormats } from '../../../../src-shared/domain/wireFormat.ts';
import classes from '../evaluations.module.css';
import type { ModelRow } from './modelRow.ts';

const keptText = 'A credential moves to the key store when the evaluation starts.';
const additionTexts: Record<
  (typeof additionNames)[number],
  { label: string; description: string }
> = {
  headers: { label: 'Headers', description: `One per line. ${keptText}` },
  query: {
    label: 'Query parameters',
    description: `One per line, such as api-version. ${keptText}`,
  },
  body: { label: 'Body fields', description: `One per line, with JSON values. ${keptText}` },
};

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
        ['contextTokens', 'requestsPerMinute', 'maxWait', 'reasoningEffort', ...additionNames].some(
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
          onChange={(value) => {
            onEdit({
              reasoningEffort: reasoningEfforts.find((effort) => effort === value) ?? null,
            });
          }}
        />
        {formats.length > 1 && (
          <Select
            label="Wire format"
            description="API of the requests"
            data={formats.flatMap(({ api, label }) =>
              api === null ? [] : [{ value: api, label }],
            )}
            allowDeselect={false}
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
          allowDeselect={false}
          value={row.confidence}
          onChange={(value) => {
            onEdit({
              confidence: value === 'logprobs' || value === 'self_report' ? value : 'none',
            });
          }}
        />
        <NumberInput
          label="Context window"
          description="In tokens"
          placeholder={needsBaseUrl(provider) ? 'Not checked' : 'As known'}
          min={1000}
          allowDecimal={false}
          value={row.contextTokens}
          error={faultOf('contextTokens')}
          onChange={(contextTokens) => {
            onEdit({ contextTokens });
          }}
        />
        <NumberInput
          label="Max requests per minute"
          description="Slows down on overload"
          placeholder="No limit"
          min={1}
          allowDecimal={false}
          value={row.requestsPerMinute}
          error={faultOf('requestsPerMinute')}
          onChange={(requestsPerMinute) => {
            onEdit({ requestsPerMinute });
          }}
        />
        <NumberInput
          label="Longest wait"
          description="In seconds, if the endpoint asks for it"
          placeholder="Timeout + 60"
          min={0}
          allowDecimal={false}
          value={row.maxWait}
          error={faultOf('maxWait')}
          onChange={(maxWait) => {
            onEdit({ maxWait });
          }}
        />
      </div>
      <div className={classes.stack} style={{ marginTop: 12 }}>
        {additionNames.map((name) => (
          <Textarea
            key={name}
            label={additionTexts[name].label}
            description={additionTexts[name].description}
            placeholder={additionForms[name].example}
            autosize
            minRows={1}
            maxRows={8}
            value={row[name]}
            error={faultOf(name)}
            onChange={(event) => {
              onEdit({ [name]: event.currentTarget.value });
            }}
          />
        ))}
        <Switch
          label="Streamed answers"
          description="For endpoints that give no others. They are also recognized by themselves."
          checked={row.stream}
          onChange={(event) => {
            onEdit({ stream: event.currentTarget.checked });
          }}
        />
        {format.strict && (
          <Switch
            label="Strict mode"
            description="The provider enforces a simplified schema. Scores use the published one."
            checked={row.strict}
            onChange={(event) => {
              onEdit({ strict: event.currentTarget.checked });
            }}
          />
        )}
        {format.deferTools && (
          <Switch
            label="Deferred tools"
            description="The provider’s tool search finds the tools. Add the same model without it to compare both."
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
