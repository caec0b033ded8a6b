import {
  modelConfiguration,
  type ModelConfiguration,
} from '../../../../src-shared/domain/model.ts';
import { needsBaseUrl, providers } from '../../../../src-shared/domain/provider.ts';
import { UsageError } from '../exitCodes.ts';
import type { EvalOptions } from './evalOptions.ts';
import type { StoredInput } from './files.ts';
import { oneOf } from './optionValues.ts';

/**
 * The judge that the options name; null if they name none. It comes from the recording as the model
 * does.
 */
export function readJudge(
  options: Pick<
    EvalOptions,
    'provider' | 'record' | 'judgeProvider' | 'judgeModel' | 'judgeBaseUrl'
  >,
  recording: StoredInput | null,
): ModelConfiguration | null {
  const { judgeModel: model, judgeBaseUrl = null, record } = options;
  if (model === undefined) {
    if (options.judgeProvider !== undefined || judgeBaseUrl !== null)
      throw new UsageError('eval: A judge needs a model. Give --judge-model NAME.');
    return null;
  }
  const name = '--judge-provider';
  const provider = oneOf(options.judgeProvider ?? options.provider ?? '', name, providers);
  if (provider === 'builtin')
    throw new UsageError(`${name} builtin: It can't judge. Name the provider of a model.`);
  const replays = recording !== null && record === undefined;
  if (!replays && needsBaseUrl(provider) && judgeBaseUrl === null)
    throw new UsageError(`${name} ${provider}: It needs an address. Give --judge-base-url URL.`);
  return modelConfiguration.parse({
    provider: replays ? 'replay' : provider,
    model,
    // The same question should get the same answer.
    temperature: 0,
    baseUrl: judgeBaseUrl,
    replayFile: recording?.path ?? null,
  });
}
