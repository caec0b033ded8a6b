import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { remoteProviders } from '../../../../src-shared/domain/provider.ts';
import { pricedProvider, priceInput } from '../../../../src-shared/domain/price.ts';
import { group, inSession, member } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { ModelEnvironment } from '../input/modelEnvironment.ts';
import { modelFlags, readModelOptions } from '../input/modelOptions.ts';
import { oneOf, readBy } from '../input/optionValues.ts';
import { table } from '../output/output.ts';

const providerFlag = { about: 'whose', choices: remoteProviders, required: true } as const;

export const models = group({ example: 'models prices' }, [
  member('list', 'the models that an endpoint lists', {
    flags: [{ '--provider <provider>': providerFlag }, modelFlags],
    example: 'models list --provider openai-compatible --preset ollama',
    async run({ options, ...context }) {
      const environment = new ModelEnvironment(context.io);
      const { provider, baseUrl, headers, query } = modelConfiguration.parse({
        provider: options.provider,
        // What is listed are its models.
        model: 'any',
        ...environment.complete(options.provider, readModelOptions(options)),
      });
      environment.note(context.output);
      await inSession(context, 'write', async ({ client }) => {
        await environment.checkAddress(client);
        const list = await client.models.list({ provider, baseUrl, headers, query });
        context.output.answer(list, () => list.models.join('\n'));
      });
    },
  }),
  member('probe', 'tests tool calling with one call; exit code 1 if the endpoint makes none', {
    flags: [
      {
        '--provider <provider>': providerFlag,
        '--model <model>': { about: 'which', required: true },
      },
      modelFlags,
    ],
    example: 'models probe --provider openai-compatible --preset ollama ' + '--model llama3.1',
    async run({ options: { provider, model, ...options }, ...context }) {
      const environment = new ModelEnvironment(context.io);
      const completed = environment.complete(provider, readModelOptions(options));
      environment.note(context.output);
      const asked = readBy(modelConfiguration, { provider, model, ...completed }, 'models probe');
      await inSession(context, 'write', async ({ client }) => {
        await environment.checkAddress(client);
        const { calls, says, elapsedMs, sent } = await client.models.probe(asked);
        context.output.answer(
          { calls, says, elapsed_ms: elapsedMs, sent },
          () =>
            `${calls ? 'It calls tools.' : 'It made no usable call.'} ${says} (${elapsedMs} ms)`,
        );
        if (!calls) context.io.setExitCode(exitCodes.gateFailed);
      });
    },
  }),
  member(
    'agents',
    'the agents that can play runs: whether their programs are found, and versions',
    {
      example: 'models agents',
      opens: 'read',
      async run({ client, output }) {
        const agents = await client.models.agents();
        output.answer({ agents }, () =>
          table([
            ['agent', 'program', 'version', 'file'],
            ...agents.map(({ name, command, file, version }) => [
              ...[
                name,
                command,
                version ?? (file === null ? 'not found' : 'not known'),
                file ?? '–',
              ],
            ]),
          ]),
        );
      },
    },
  ),
  member(
    'prices',
    'US dollars per million tokens; --set stores your own price, --remove deletes it',
    {
      flags: {
        '--remove <provider:model>': 'delete your own price; a listed one counts again',
        '--set <provider:model=input,output[,cache-read[,cache-write]]>':
          'such as openai:gpt-5=1.25,10,0.125',
      },
      example: 'models prices --set openai-compatible:llama3.1=0,0',
      opens: 'write',
      async run({ client, output, options: { set, remove } }) {
        if (set !== undefined) await client.models.setPrice(readPrice(set));
        if (remove !== undefined) {
          const { removed } = await client.models.removePrice(readModelName(remove));
          if (!removed) throw new UsageError(`--remove ${remove}: You set no price for it.`);
        }
        const { date, prices } = await client.models.prices();
        output.answer(
          {
            date,
            prices: prices.map((each) => ({
              provider: each.provider,
              model: each.model,
              input_usd: each.inputUsd,
              output_usd: each.outputUsd,
              cache_read_usd: each.cacheReadUsd ?? null,
              cache_write_usd: each.cacheWriteUsd ?? null,
              source: each.source,
              date: each.date,
            })),
          },
          () =>
            table([
              ['provider', 'model', 'input', 'output', 'cache read', 'cache write', 'from'],
              ...prices.map((each) => [
                each.provider,
                each.model,
                String(each.inputUsd),
                String(each.outputUsd),
                String(each.cacheReadUsd ?? '–'),
                String(each.cacheWriteUsd ?? '–'),
                `${each.source === 'own' ? 'yours' : 'list'}, ${each.date}`,
              ]),
            ]),
        );
      },
    },
  ),
]);

function readModelName(text: string) {
  const [, provider, model = ''] = /^([^:]+):(.+)$/.exec(text) ?? [];
  return { provider: oneOf(provider ?? text, '--remove', pricedProvider.options), model };
}

function readPrice(text: string) {
  const [, provider, model, numbers = ''] = /^([^:]+):(.+)=([^=]+)$/.exec(text) ?? [];
  const given = numbers.split(',');
  const [inputUsd, outputUsd, cacheReadUsd, cacheWriteUsd] = given.map((each) =>
    each.trim() === '' ? NaN : Number(each),
  );
  const parsed = priceInput.safeParse({
    provider,
    model,
    inputUsd,
    outputUsd,
    cacheReadUsd,
    cacheWriteUsd,
  });
  if (!parsed.success || given.length > 4)
    throw new UsageError(
      `--set ${text}: It needs the form provider:model=input,output in US dollars for a ` +
        'million tokens. The prices of input read from and written to the prompt cache may follow.',
    );
  return parsed.data;
}
