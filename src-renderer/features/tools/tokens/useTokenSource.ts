import { useAddress } from '../../../ui/frame/useAddress.ts';
import { encodingNames, type EncodingName } from '../../../../src-shared/domain/tokens.ts';
import {
  countedModel,
  type CountedModel,
  type ToolSource,
} from '../../../../src-shared/domain/tokenReport.ts';
import { useServerScope, useRead } from '../../../api/index.ts';

interface SourceGroup {
  group: string;
  items: { value: string; label: string }[];
}

/**
 * Which tools are analyzed, from the address: all servers, those chosen above the views, a corpus,
 * or an evaluation's snapshot.
 */
export function useTokenSource() {
  const [params, set] = useAddress();
  const scope = useServerScope();
  const servers = useRead((ask) => ask.servers.list);
  const datasets = useRead((ask) => ask.retrieval.datasets);
  const evaluations = useRead((ask) => ask.evaluations.list, { input: { limit: 50 } });
  const change = (name: string, value: string | null): void => set({ [name]: value });
  const chosen = params.get('of') ?? 'servers';
  const chosenServers = params.getAll('server');
  const encoding: EncodingName =
    encodingNames.find((name) => name === params.get('encoding')) ?? 'cl100k_base';
  const model = readModel(params.get('model'));
  const budgetText = params.get('budget');
  const budget = budgetText === null ? null : Number(budgetText);
  const prices = useRead((ask) => ask.models.prices);
  const formats = formatGroups(
    [
      ...(prices.data?.prices ?? []),
      ...(evaluations.data ?? []).flatMap(({ models }) => models),
      ...(model ? [model] : []),
    ].map(({ provider, model: name }) => `${provider}/${name}`),
  );
  const format = model ? `model ${model.provider}/${model.model}` : `encoding ${encoding}`;
  const changeFormat = (value: string | null): void => {
    const [kind, name = null] = value?.split(/ (.*)/s) ?? [];
    change('encoding', kind === 'encoding' && name !== 'cl100k_base' ? name : null);
    change('model', kind === 'model' ? name : null);
  };
  const groups: SourceGroup[] = [
    { group: 'Servers', items: [{ value: 'servers', label: 'Servers' }] },
    {
      group: 'Retrieval corpora',
      items: (datasets.data?.corpora ?? []).map(({ version }) => ({
        value: `corpus ${version}`,
        label: version,
      })),
    },
    {
      group: 'Evaluations',
      items: (evaluations.data ?? []).flatMap(({ number, suiteName, snapshotId }) =>
        snapshotId === null
          ? []
          : [{ value: `snapshot ${snapshotId} ${number}`, label: `#${number} ${suiteName}` }],
      ),
    },
  ].filter(({ items }) => items.length > 0);
  const [kind = '', ...rest] = chosen.split(' ');
  const name = rest.join(' ');
  const source: ToolSource =
    kind === 'corpus'
      ? { corpus: name }
      : kind === 'snapshot'
        ? { snapshotId: rest[0] ?? '' }
        : {
            servers:
              chosenServers.length === 0
                ? (scope?.map(({ name: counted }) => counted) ?? null)
                : chosenServers,
          };
  const serverId =
    'servers' in source && chosenServers.length === 1
      ? (servers.data?.find((server) => server.name === chosenServers[0])?.id ?? null)
      : null;
  return {
    params,
    change,
    chosen,
    encoding,
    model,
    budget,
    formats,
    format,
    changeFormat,
    groups,
    source,
    serverId,
  };
}

/** `openai/gpt-5`; null for anything that is no model. */
function readModel(text: string | null): CountedModel | null {
  const at = text?.indexOf('/') ?? -1;
  const parsed = countedModel.safeParse({
    provider: text?.slice(0, Math.max(0, at)),
    model: text?.slice(at + 1),
  });
  return parsed.success ? parsed.data : null;
}

/** As listed, or in the format of a model that has a price or was evaluated. */
function formatGroups(models: readonly string[]): SourceGroup[] {
  const readable = [...new Set(models)].filter((name) => readModel(name) !== null);
  return [
    {
      group: 'As listed by the servers',
      items: encodingNames.map((name) => ({ value: `encoding ${name}`, label: name })),
    },
    {
      group: 'In the format of a model',
      items: readable.map((name) => ({ value: `model ${name}`, label: name.replace('/', ' · ') })),
    },
  ];
}
export type TokenSource = ReturnType<typeof useTokenSource>;
