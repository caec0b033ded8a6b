import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { useTokenSource, type TokenSource } from './useTokenSource.ts';
import { EncodingField } from './EncodingField.tsx';
import type { ChosenModel } from '../../../ui/fields/ModelChoice.tsx';
import { Action, choosing, typed } from '../../../ui/fields/controls.tsx';
import { timeToTheMinute } from '../../../../src-shared/display/dates.ts';
import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconChartLine, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import {
  modelConfiguration,
  type ModelConfiguration,
} from '../../../../src-shared/domain/model.ts';
import {
  onlyModelOf,
  providerTable,
  exampleBaseUrl,
  needsBaseUrl,
  providers,
  type Provider,
} from '../../../../src-shared/domain/provider.ts';
import type { PresentedAs } from '../../../../src-shared/domain/clientFacts.ts';
import { externalRetrieverName } from '../../../../src-shared/domain/retrievalRun.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { EmptyState, ErrorNotice, Loaded } from '../../../ui/notices/notices.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { PresentAsField } from '../../../models/PresentAsField.tsx';
import { parseKs } from './parseKs.ts';
import classes from './tokens.module.css';
import { FrontierView } from './FrontierView.tsx';

/** How many tools a model needs to see before it becomes less accurate. */
export function AccuracyPage() {
  const source = useTokenSource();
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Labs', to: '/labs/retrieval' }, { label: 'Accuracy vs. tokens' }]}
        title="Accuracy vs. tokens"
        subtitle="How much you save by showing a model fewer tools, and when that starts to cost accuracy."
      />
      <FrontierTab source={source} />
    </>
  );
}

/** A suite with only the best k tools shown, for several k: what accuracy costs in tokens. */
function FrontierTab({ source }: { source: TokenSource }) {
  const { client, queries, reread } = useApi();
  const suites = useRead((ask) => ask.suites.list);
  const retrievers = useRead((ask) => ask.retrieval.retrievers);
  const settings = useRead((ask) => ask.settings.get);
  const earlier = useRead((ask) => ask.tokens.frontiers);
  const externalRetrievers = settings.data?.externalRetrievers ?? [];
  const [suiteId, setSuiteId] = useState<string | null>(null);
  const [chosen, setChosen] = useState(['default']);
  const [ks, setKs] = useState(['1', '2', '4', '8', '16', 'all']);
  const [form, setForm] = useState(noModel);
  const [as, setAs] = useState<PresentedAs | null>(null);
  const parsed = parseKs(ks);
  const model = modelOf(form);
  const remote = onlyModelOf(form.provider) === null;
  const suite = suiteId ?? suites.data?.[0]?.id ?? null;
  const id = source.params.get('frontier') ?? earlier.data?.[0]?.id ?? null;
  const missing =
    suite === null ? (
      suites.isSuccess ? (
        <NoSuite />
      ) : (
        ''
      )
    ) : model === null ? (
      'Choose a model to measure with.'
    ) : chosen.length === 0 ? (
      'Choose a retriever: it ranks the tools of each request.'
    ) : null;
  const start = useMutation({
    mutationFn: () =>
      client.tokens.startFrontier({
        suiteId: suite ?? '',
        model: modelConfiguration.parse(model),
        ks: parsed.ks,
        retrievers: chosen.map(
          (name) => externalRetrievers.find((spec) => externalRetrieverName(spec) === name) ?? name,
        ),
        encoding: source.encoding,
        client: as === null || as === 'generic' ? undefined : as,
      }),
    onSuccess: async (made) => {
      await reread(queries.tokens);
      source.change('frontier', made.id);
    },
  });
  return (
    <>
      <div className={classes.form}>
        <Select
          label="Suite"
          w={220}
          data={(suites.data ?? []).map(({ id: value, name }) => ({ value, label: name }))}
          value={suite}
          onChange={setSuiteId}
        />
        <MultiSelect
          label="Retrievers"
          miw={200}
          data={[
            ...(retrievers.data ?? []).map((each) => each.id),
            ...externalRetrievers.map(externalRetrieverName),
          ]}
          value={chosen}
          onChange={setChosen}
        />
        <TagsInput
          label="Tools shown (numbers, or all)"
          miw={260}
          value={ks}
          onChange={setKs}
          error={parsed.fault}
        />
        <FrontierModel form={form} onChange={setForm} />
        <PresentAsField value={as} onChange={setAs} />
        <EncodingField source={source} />
        <Action
          label={remote ? 'Measure' : `Measure with ${providerTable[form.provider].label}`}
          filled
          icon={IconPlayerPlay}
          disabled={missing !== null || parsed.fault !== null}
          run={start}
        />
        {(earlier.data?.length ?? 0) > 0 && (
          <Select
            label="Earlier measurements"
            w={250}
            value={id}
            data={(earlier.data ?? []).map((each) => ({
              value: each.id,
              label: `${each.suiteName}, ${timeToTheMinute(each.createdAt) ?? ''}`,
            }))}
            onChange={(value) => source.change('frontier', value)}
          />
        )}
      </div>
      {missing !== null && missing !== '' && <p className={classes.quiet}>{missing}</p>}
      {settings.data && externalRetrievers.length < 2 && (
        <p className={classes.quiet}>
          {externalRetrievers.length === 0
            ? "To rank with embeddings or a server's search tool, compare them"
            : `${externalRetrievers[0]?.kind === 'mcp' ? 'Embeddings rank' : 'The search tool of a server ranks'} ` +
              'here too, once compared'}{' '}
          on <Link to="/labs/retrieval">Labs › Retrieval</Link>.
        </p>
      )}
      {remote && parsed.fault === null && (
        <p className={classes.quiet}>
          Each of {counted(evaluationsOf(parsed.ks, chosen.length), 'evaluation')} puts every case
          of the suite to the model once.
        </p>
      )}
      <ErrorNotice error={start.error} />
      {id === null ? (
        <Loaded query={earlier} blocks={[400]}>
          {() => (
            <EmptyState
              icon={<IconChartLine size={32} stroke={1.5} />}
              message="No measurements yet. Each number of tools is one evaluation of the suite with only the best matches shown."
            />
          )}
        </Loaded>
      ) : (
        <FrontierView id={id} />
      )}
    </>
  );
}

const NoSuite = () => (
  <>
    There is no suite to measure with yet. <Link to="/suites?new">Create a suite</Link> with cases
    first.
  </>
);

/** With all tools the retriever doesn't matter, so that point is measured once. */
const evaluationsOf = (ks: readonly (number | null)[], retrievers: number): number =>
  ks.filter((k) => k !== null).length * retrievers + (ks.includes(null) ? 1 : 0);

const noModel: ChosenModel<Provider> = { provider: 'builtin', model: '', baseUrl: '' };

/** A recording holds the answers to one list of tools, but a frontier asks with many. */
const choices = providers.filter((provider) =>
  ['local', 'endpoint'].includes(providerTable[provider].kind),
);

/** The configuration of the form; null while it is incomplete. */
function modelOf(form: ChosenModel<Provider>): ModelConfiguration | null {
  const { provider, model, baseUrl } = form;
  if (needsBaseUrl(provider) && baseUrl.trim() === '') return null;
  const read = modelConfiguration.safeParse({
    provider,
    model: onlyModelOf(provider) ?? model.trim(),
    baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim(),
  });
  return read.success ? read.data : null;
}

/** The model that chooses among the shown tools. */
function FrontierModel(props: {
  form: ChosenModel<Provider>;
  onChange: (form: ChosenModel<Provider>) => void;
}) {
  const { form, onChange } = props;
  const remote = onlyModelOf(form.provider) === null;
  return (
    <>
      <Select
        label="Model"
        w={240}
        data={choices.map((value) => ({ value, label: providerTable[value].label }))}
        {...choosing(form.provider, (provider) =>
          onChange({ provider, model: '', baseUrl: needsBaseUrl(provider) ? exampleBaseUrl : '' }),
        )}
      />
      {remote && (
        <>
          <TextInput
            label="Model name"
            w={180}
            {...typed(form.model, (model) => onChange({ ...form, model }))}
            maxLength={100}
          />
          <TextInput
            label="Base URL"
            w={230}
            placeholder="the provider's default"
            {...typed(form.baseUrl, (baseUrl) => onChange({ ...form, baseUrl }))}
            maxLength={2000}
          />
        </>
      )}
    </>
  );
}
