import { Autocomplete, Group, Select, Text, TextInput, NumberInput, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Action, typed, ticked } from '../../../ui/fields/controls.tsx';
import { keyProvider } from '../../../../src-shared/domain/keys.ts';
import { endpointInput } from '../../../../src-shared/domain/modelService.ts';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import {
  exampleBaseUrl,
  needsBaseUrl,
  providerTable,
  type RemoteProvider,
  reasoningEfforts,
  wireApiOf,
} from '../../../../src-shared/domain/provider.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/notices.tsx';
import { counted, formatDuration } from '../../../../src-shared/display/numbers.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import classes from '../evaluations.module.css';
import {
  readTypedAdditions,
  additionNames,
} from '../../../../src-shared/domain/requestAdditions.ts';
import { toConfiguration, type ModelRow } from './modelRow.ts';
import { modelFields } from '../../../../src-shared/domain/modelFields.ts';
import { wireApis, wireFormats } from '../../../../src-shared/domain/wireFormat.ts';
import { AdditionFields } from '../../../models/AdditionFields.tsx';

interface RemoteModelFieldsProps {
  row: ModelRow;
  faultOf: (field: string) => string | undefined;
  onEdit: (part: Partial<ModelRow>) => void;
}

/** A model behind an endpoint: its address, its name, the state of its key, and its settings. */
export function RemoteModelFields({ row, faultOf, onEdit }: RemoteModelFieldsProps) {
  const { client } = useApi();
  const provider = keyProvider.parse(row.provider);
  const compatible = needsBaseUrl(provider);
  const { headers, query } = readTypedAdditions(row);
  const endpoint = endpointInput.safeParse({
    provider,
    baseUrl: row.baseUrl.trim() === '' ? null : row.baseUrl.trim(),
    headers,
    query,
  }).data ?? { provider, baseUrl: null };
  const list = useRead((ask) => ask.models.list, {
    input: endpoint,
    enabled: false,
    retry: false,
    staleTime: 60_000,
  });
  const presets =
    useRead((ask) => ask.models.presets, { enabled: compatible, staleTime: Infinity }).data ?? [];
  const preset = presets.find(({ baseUrl }) => baseUrl === row.baseUrl);
  const probed = modelConfiguration.safeParse(
    toConfiguration(row, { timeout: 30, temperature: 0.4, maxRetries: 1 }),
  );
  const probe = useMutation({
    mutationFn: () => client.models.probe(modelConfiguration.parse(probed.data)),
  });
  return (
    <>
      <div className={classes.modelRow} style={{ marginTop: 8 }}>
        {compatible && (
          <Select
            w={150}
            label="Preset"
            placeholder="Other"
            data={presets.map(({ id, label }) => ({ value: id, label }))}
            value={preset?.id ?? null}
            onChange={(id) =>
              onEdit({ baseUrl: presets.find((preset) => preset.id === id)?.baseUrl ?? '' })
            }
          />
        )}
        <TextInput
          flex={1}
          miw={220}
          label="Base URL"
          description={preset && `What ${preset.label} supports: ${preset.rules}`}
          placeholder={compatible ? exampleBaseUrl : 'The provider’s default'}
          {...typed(row.baseUrl, (baseUrl) => onEdit({ baseUrl }))}
          maxLength={2000}
          error={row.baseUrl === '' ? undefined : faultOf('baseUrl')}
        />
      </div>
      <div className={classes.modelRow} style={{ marginTop: 8 }}>
        <Autocomplete
          flex={1}
          miw={220}
          label="Model"
          placeholder="Type a name or list the models"
          data={list.data?.models ?? []}
          limit={50}
          maxLength={100}
          value={row.model}
          error={row.model === '' ? undefined : faultOf('model')}
          onChange={(model) => onEdit({ model })}
        />
        <Action label="List models" loading={list.isFetching} onClick={() => void list.refetch()} />
        <Action
          label="Test tool calling"
          run={probe}
          why={probed.success ? null : 'Fill in the fields of the model first.'}
        />
      </div>
      <Group gap="md" mt={8}>
        <KeyState provider={provider} />
        {list.data !== undefined && (
          <p className="ts-hint" role="status">
            {counted(list.data.models.length, 'model')} at{' '}
            <Foreign text={list.data.host} limit={100} />
          </p>
        )}
      </Group>
      <ErrorNotice error={list.error} />
      <ErrorNotice error={probe.error} />
      {probe.data !== undefined && (
        <Text size="sm" mt={8} role="status">
          <StatusBadge
            tone={probe.data.calls ? 'good' : 'bad'}
            label={probe.data.calls ? 'Calls tools' : 'No usable call'}
          />{' '}
          <Foreign text={probe.data.says} limit={400} />{' '}
          <span className={classes.quiet}>{formatDuration(probe.data.elapsedMs)}</span>
        </Text>
      )}
      <ModelOptionFields provider={provider} row={row} faultOf={faultOf} onEdit={onEdit} />
    </>
  );
}

/** Whether a key is set; its value never reaches the page. */
function KeyState({ provider }: { provider: RemoteProvider }) {
  const status = useRead((ask) => ask.keys.status, { input: { provider }, staleTime: 0 });
  if (status.data === undefined) return null;
  const set = status.data.status === 'set';
  const optional = !providerTable[provider].key.required;
  return (
    <Text size="sm">
      <StatusBadge
        tone={set ? 'good' : optional ? 'idle' : 'warning'}
        label={set ? 'Key set' : optional ? 'No key' : 'Key not set'}
      />{' '}
      {!set && (
        <Link to="/settings">
          {optional ? 'Set a key if the endpoint needs one' : 'Set the key in Settings'}
        </Link>
      )}
    </Text>
  );
}

const limits = ['contextTokens', 'requestsPerMinute', 'maxWait'] as const;

interface ModelOptionFieldsProps {
  provider: RemoteProvider;
  row: ModelRow;
  faultOf: (field: string) => string | undefined;
  onEdit: (part: Partial<ModelRow>) => void;
}

/** The settings of one model. All of them identify its runs. */
function ModelOptionFields({ provider, row, faultOf, onEdit }: ModelOptionFieldsProps) {
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
