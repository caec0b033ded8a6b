import {
  modelConfiguration,
  type ModelConfiguration,
} from '../../../../src-shared/domain/model.ts';
import { needsBaseUrl, onlyModelOf, providers } from '../../../../src-shared/domain/provider.ts';
import { maxJudges } from '../../../../src-shared/domain/judgePromptText.ts';
import type { TaskEvaluationSettings } from '../../../../src-shared/domain/taskEvaluation.ts';
import { UsageError } from '../exitCodes.ts';
import type { AskedModels, EvalOptions } from './evalOptions.ts';
import type { StoredInput } from './files.ts';
import { readAdditionOptions, readModelOptions, type AdditionOptions } from './modelOptions.ts';
import { oneOf, readBy, webAddress } from './optionValues.ts';

type Role = 'judge' | 'user';
type SecondOptions = Pick<
  EvalOptions,
  'provider' | 'record' | 'judges' | 'user' | `${Role}${'Provider' | 'Model' | 'BaseUrl'}`
> &
  AdditionOptions<Role>;

/**
 * The judges that the options name, the first apart from others; null if they name none. They come
 * from the recording as the model does.
 */
export function readJudges(
  options: SecondOptions,
  recording: StoredInput | null,
): Pick<TaskEvaluationSettings, 'judge' | 'moreJudges'> {
  const names = options.judgeModel?.split(',').map((name) => name.trim());
  const files = options.judges ?? [];
  const asked = names
    ? names.map((name) => readSecondModel('judge', { ...options, judgeModel: name }, files[0]))
    : (files.length > 0 ? files : [undefined]).map((file) =>
        readSecondModel('judge', options, file),
      );
  const [judge = null, ...moreJudges] = asked
    .filter((one) => one !== null)
    .map((one) => readJudge(one, isReplayed(options, recording) ? recording : null));
  if (moreJudges.length >= maxJudges)
    throw new UsageError(
      `eval: ${moreJudges.length + 1} judges are given, and at most ${maxJudges} judge a run. Leave some out.`,
    );
  return { judge, moreJudges };
}

function readJudge(judge: ModelConfiguration, recording: StoredInput | null): ModelConfiguration {
  if (judge.provider === 'builtin')
    throw new UsageError("--judge-provider builtin: It can't judge. Name the provider of a model.");
  return recording === null
    ? checked('judge', judge)
    : { ...judge, provider: 'replay', replayFile: recording.path };
}

/**
 * The model that plays simulated users; null if the options name none. A recording holds what they
 * said.
 */
export function readUserModel(
  options: SecondOptions,
  recording: StoredInput | null,
): ModelConfiguration | null {
  const user = readSecondModel('user', options, options.user);
  return user === null || isReplayed(options, recording) ? null : checked('user', user);
}

const isReplayed = ({ record }: Pick<EvalOptions, 'record'>, recording: StoredInput | null) =>
  recording !== null && record === undefined;

/** A model beside those under test; `role` begins its options, which replace those of a file. */
function readSecondModel(
  role: Role,
  options: SecondOptions,
  file: AskedModels | undefined,
): ModelConfiguration | null {
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
function checked(role: Role, model: ModelConfiguration): ModelConfiguration {
  if (needsBaseUrl(model.provider) && model.baseUrl === null)
    throw new UsageError(
      `--${role}-provider ${model.provider}: It needs an address. Give --${role}-base-url URL.`,
    );
  return model;
}
