import { Option, type Command } from 'commander';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { remoteProviders, type RemoteProvider } from '../../../../src-shared/domain/provider.ts';
import { pricedProvider, priceInput } from '../../../../src-shared/domain/price.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { ModelEnvironment } from '../input/modelEnvironment.ts';
import { addModelOptions, readModelOptions, type ModelOptions } from '../input/modelOptions.ts';
import { oneOf } from '../input/optionValues.ts';
import { table } from '../output/output.ts';
import { openSession } from '../session.ts';

export function addModels(models: Command, io: CommandIo): void {
  models.addHelpText('after', '\nExample:\n  touchstone models prices');

  addModelOptions(
    models
      .command('list')
      .description('the models that an endpoint lists')
      .addOption(
        new Option('--provider <provider>', 'whose').choices(remoteProviders).makeOptionMandatory(),
      ),
  )
    .addHelpText(
      'after',
      '\nExample:\n  touchstone models list --provider openai-compatible --preset ollama',
    )
    .action(async (options: ModelOptions & { provider: RemoteProvider }, command: Command) => {
      const context = contextOf(command, io);
      const environment = new ModelEnvironment(io);
      const endpoint = modelConfiguration.parse({
        provider: options.provider,
        // What is listed are its models.
        model: 'any',
        ...environment.complete(options.provider, readModelOptions(options)),
      });
      environment.note(context.output);
      const session = await openSession(context, 'write');
      try {
        await environment.checkAddress(session.client);
        const { provider, baseUrl, headers, query } = endpoint;
        const list = await session.client.models.list({ provider, baseUrl, headers, query });
        context.output.answer(list, () => list.models.join('\n'));
      } finally {
        await session.close();
      }
    });

  addModelOptions(
    models
      .command('probe')
      .description('tests tool calling with one call; exit code 1 if the endpoint makes none')
      .addOption(
        new Option('--provider <provider>', 'whose').choices(remoteProviders).makeOptionMandatory(),
      )
      .requiredOption('--model <model>', 'which'),
  )
    .addHelpText(
      'after',
      '\nExample:\n  touchstone models probe --provider openai-compatible --preset ollama ' +
        '--model llama3.1',
    )
    .action(
      async (
        options: ModelOptions & { provider: RemoteProvider; model: string },
        command: Command,
      ) => {
        const context = contextOf(command, io);
        const environment = new ModelEnvironment(io);
        const { provider } = options;
        const parsed = modelConfiguration.safeParse({
          provider,
          model: options.model,
          ...environment.complete(provider, readModelOptions(options)),
        });
        environment.note(context.output);
        if (!parsed.success)
          throw new UsageError(
            `models probe: ${parsed.error.issues[0]?.path.join('.') ?? ''}: ` +
              (parsed.error.issues[0]?.message ?? ''),
          );
        const session = await openSession(context, 'write');
        try {
          await environment.checkAddress(session.client);
          const result = await session.client.models.probe(parsed.data);
          context.output.answer(
            {
              calls: result.calls,
              says: result.says,
              elapsed_ms: result.elapsedMs,
              sent: result.sent,
            },
            () =>
              `${result.calls ? 'It calls tools.' : 'It made no usable call.'} ` +
              `${result.says} (${result.elapsedMs} ms)`,
          );
          if (!result.calls) io.setExitCode(exitCodes.gateFailed);
        } finally {
          await session.close();
        }
      },
    );

  models
    .command('prices')
    .description('US dollars per million tokens; --set stores your own price, --remove deletes it')
    .option('--remove <provider:model>', 'delete your own price; a listed one counts again')
    .option(
      '--set <provider:model=input,output[,cache-read[,cache-write]]>',
      'such as openai:gpt-5=1.25,10,0.125',
    )
    .addHelpText(
      'after',
      '\nExample:\n  touchstone models prices --set openai-compatible:llama3.1=0,0',
    )
    .action(async (options: { set?: string; remove?: string }, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'write');
      try {
        if (options.set !== undefined) await session.client.models.setPrice(readPrice(options.set));
        if (options.remove !== undefined) {
          const { removed } = await session.client.models.removePrice(
            readModelName(options.remove),
          );
          if (!removed)
            throw new UsageError(`--remove ${options.remove}: You set no price for it.`);
        }
        const { date, prices } = await session.client.models.prices();
        context.output.answer(
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
      } finally {
        await session.close();
      }
    });
}

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
