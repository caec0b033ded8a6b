import {
  modelConfiguration,
  type ModelConfiguration,
} from '../../../../src-shared/domain/model.ts';
import { needsBaseUrl, onlyModelOf, providers } from '../../../../src-shared/domain/provider.ts';
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
  const { judgeProvider: provider, judgeModel: model, judgeBaseUrl: baseUrl } = options;
  const judge = readSecondModel('judge', { provider, model, baseUrl }, options.provider);
  if (judge?.provider === 'builtin')
    throw new UsageError("--judge-provider builtin: It can't judge. Name the provider of a model.");
  if (judge === null || !isReplayed(options, recording)) return checked('judge', judge);
  return { ...judge, provider: 'replay', replayFile: recording?.path ?? null };
}

/**
 * The model that plays simulated users; null if the options name none. A recording holds what they
 * said.
 */
export function readUserModel(
  options: Pick<EvalOptions, 'provider' | 'record' | 'userProvider' | 'userModel' | 'userBaseUrl'>,
  recording: StoredInput | null,
): ModelConfiguration | null {
  const { userProvider, userModel, userBaseUrl: baseUrl } = options;
  const provider = userProvider ?? (userModel === undefined ? undefined : options.provider);
  const model =
    userModel ?? (provider === 'builtin' ? (onlyModelOf('builtin') ?? undefined) : undefined);
  const user = readSecondModel('user', { provider, model, baseUrl }, options.provider);
  return isReplayed(options, recording) ? null : checked('user', user);
}

const isReplayed = ({ record }: Pick<EvalOptions, 'record'>, recording: StoredInput | null) =>
  recording !== null && record === undefined;

/** A model beside those under test; `role` begins its options. */
function readSecondModel(
  role: 'judge' | 'user',
  given: { provider: string | undefined; model: string | undefined; baseUrl: string | undefined },
  standard: string | undefined,
): ModelConfiguration | null {
  const { model, baseUrl = null } = given;
  if (model === undefined) {
    if (given.provider !== undefined || baseUrl !== null)
      throw new UsageError(`eval: A ${role} needs a model. Give --${role}-model NAME.`);
    return null;
  }
  const provider = oneOf(given.provider ?? standard ?? '', `--${role}-provider`, providers);
  // The same question should get the same answer.
  return modelConfiguration.parse({ provider, model, temperature: 0, baseUrl });
}

/** Throws where an endpoint has no address. */
function checked(
  role: 'judge' | 'user',
  model: ModelConfiguration | null,
): ModelConfiguration | null {
  if (model !== null && needsBaseUrl(model.provider) && model.baseUrl === null)
    throw new UsageError(
      `--${role}-provider ${model.provider}: It needs an address. Give --${role}-base-url URL.`,
    );
  return model;
}
