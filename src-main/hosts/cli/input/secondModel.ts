import {
  modelConfiguration,
  type ModelConfiguration,
} from '../../../../src-shared/domain/model.ts';
import { needsBaseUrl, onlyModelOf, providers } from '../../../../src-shared/domain/provider.ts';
import { UsageError } from '../exitCodes.ts';
import type { EvalOptions } from './evalOptions.ts';
import type { StoredInput } from './files.ts';
import { readAdditionOptions, readModelOptions, type AdditionOptions } from './modelOptions.ts';
import { oneOf, readBy, webAddress } from './optionValues.ts';

type Role = 'judge' | 'user';
type SecondOptions = Pick<
  EvalOptions,
  'provider' | 'record' | Role | `${Role}${'Provider' | 'Model' | 'BaseUrl'}`
> &
  AdditionOptions<Role>;

/**
 * The judge that the options name; null if they name none. It comes from the recording as the model
 * does.
 */
export function readJudge(
  options: SecondOptions,
  recording: StoredInput | null,
): ModelConfiguration | null {
  const judge = readSecondModel('judge', options);
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
  options: SecondOptions,
  recording: StoredInput | null,
): ModelConfiguration | null {
  const user = readSecondModel('user', options);
  return isReplayed(options, recording) ? null : checked('user', user);
}

const isReplayed = ({ record }: Pick<EvalOptions, 'record'>, recording: StoredInput | null) =>
  recording !== null && record === undefined;

/** A model beside those under test; `role` begins its options, which replace those of a file. */
function readSecondModel(role: Role, options: SecondOptions): ModelConfiguration | null {
  const file = options[role];
  const baseUrl = webAddress(options[`${role}BaseUrl`], `--${role}-base-url`);
  const additions = readAdditionOptions(options, role);
  const given = options[`${role}Provider`] ?? file?.provider;
  const named = options[`${role}Model`] ?? file?.model?.[0];
  const model =
    named ??
    (role === 'user' && given === 'builtin' ? (onlyModelOf('builtin') ?? undefined) : undefined);
  if (model === undefined) {
    if (given !== undefined || baseUrl !== undefined || Object.keys(additions).length > 0)
      throw new UsageError(`eval: A ${role} needs a model. Give --${role}-model NAME.`);
    return null;
  }
  const provider = oneOf(given ?? options.provider ?? '', `--${role}-provider`, providers);
  const configuration = {
    provider,
    model,
    // The same question should get the same answer.
    temperature: 0,
    ...(file && readModelOptions(file.options)),
    ...(baseUrl !== undefined && { baseUrl }),
    ...additions,
  };
  return readBy(modelConfiguration, configuration, `eval: ${role}`);
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
