import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type {
  RecordedExchange,
  RecordedRun,
} from '../../../../src-shared/domain/recordedExchange.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import { additionNames } from '../../../../src-shared/domain/requestAdditions.ts';
import { ChatFailure, type ChatModel } from '../chatModel.ts';
import type { OpenParts } from '../providerAdapter.ts';
import { readRecording } from './readRecording.ts';
import { recordingKey, taskRecordingKey } from './recordingKey.ts';
import { questionsOf, whyMissing } from './whyMissing.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { TaskCheck } from '../../../../src-shared/domain/task.ts';

const isBroken = ({ trajectory: { end } }: RecordedRun): boolean => end.by === 'infrastructure';
const textOf = (checks: readonly TaskCheck[]): string => canonicalJson([...checks] as JsonValue[]);

/**
 * The runs of tasks in a recording. Tasks that differ in their checks alone have one key, and a run of
 * one of them lacks the states that another one reads: so a run with the same checks comes first.
 */
class RecordedRuns {
  readonly #byKey = new Map<string, Map<string, RecordedRun>>();

  /** A later attempt counts, but trouble replaces no run that was played to its end. */
  add(key: string, run: RecordedRun): void {
    const runs = this.#byKey.get(key) ?? new Map<string, RecordedRun>();
    this.#byKey.set(key, runs);
    const checks = textOf(run.checks);
    const known = runs.get(checks);
    if (known !== undefined && !isBroken(known) && isBroken(run)) return;
    runs.delete(checks);
    runs.set(checks, run);
  }

  /** The run of a task with these checks, else the last one with others; null: none was recorded. */
  find(key: string, checks: readonly TaskCheck[]): RecordedRun | null {
    const runs = this.#byKey.get(key);
    const same = runs?.get(textOf(checks));
    if (same !== undefined) return same;
    const all = [...(runs?.values() ?? [])];
    return all.findLast((run) => !isBroken(run)) ?? all.at(-1) ?? null;
  }

  clear(): void {
    this.#byKey.clear();
  }
}

/**
 * Opens a recording as a model: a recorded request gets its recorded answer, byte for byte, and any
 * other fails. Where a request was recorded more than once, the last answer counts.
 * Throws ServiceError where the file is missing or damaged, or has no answer of this model with
 * these settings.
 */
export async function openReplayModel(
  configuration: ModelConfiguration,
  parts: OpenParts,
): Promise<ChatModel> {
  const file = configuration.replayFile;
  if (file === null) {
    throw new ServiceError('INVALID', {
      thing: 'Provider replay',
      cause: 'No recording was chosen.',
      nextStep: 'Choose the file to replay.',
      field: 'replayFile',
    });
  }
  const { exchanges, tasks, tools: offered, warning } = await readRecording(file);
  if (warning !== null) parts.warn(warning);
  const { wireApi, sent } = chooseVariant(file, configuration, [...exchanges, ...tasks]);
  const format = parts.wireFormat(wireApi);
  if (!format)
    throw invalid(
      file,
      `It was recorded over "${wireApi}", which this version doesn't support.`,
      'Replay it with the version that recorded it.',
    );
  const answers = new Map(exchanges.map((exchange) => [exchange.key, exchange]));
  const questions = questionsOf(exchanges);
  const runs = new RecordedRuns();
  for (const { key, task, model, refused = [] } of tasks) {
    if (model === configuration.model) parts.refused.learn(refused);
    runs.add(key, task);
  }

  return {
    provider: 'replay',
    wireApi,
    sent,
    get refused() {
      return parts.refused.list;
    },
    describeTools: (tools) => format.describeTools(tools, sent),
    // Tools that could not be offered when it was recorded can't be offered here either.
    excludedTools: (tools) => format.mapTools(tools, sent).excluded,
    async choose(request, signal) {
      signal.throwIfAborted();
      const asked = { ...request, model: configuration.model, sent };
      const answer = answers.get(recordingKey(asked));
      if (!answer)
        throw new ChatFailure(
          'provider',
          `${file} ${whyMissing(questions, asked)} Record the evaluation again.`,
        );
      parts.refused.learnFrom(answer.observation);
      const { observation, request: sentRequest, response, elapsedMs } = answer;
      return { observation, request: sentRequest, response, elapsedMs };
    },
    replayTools: () => offered,
    replayTask: (task) =>
      runs.find(taskRecordingKey(task, configuration.model, sent), task.content.checks),
    async close() {
      answers.clear();
      runs.clear();
    },
  };
}

type Variant = Pick<RecordedExchange, 'model' | 'wireApi' | 'sent'>;

/**
 * A recording may hold several models, and one model with several settings: what fits the
 * configuration must be one.
 */
function chooseVariant(
  file: string,
  configuration: ModelConfiguration,
  exchanges: readonly Variant[],
): Variant {
  if (exchanges.length === 0)
    throw invalid(file, 'It contains no recorded answers.', 'Record an evaluation to it first.');
  const ofModel = exchanges.filter((exchange) => exchange.model === configuration.model);
  if (ofModel.length === 0) {
    const models = [...new Set(exchanges.map((exchange) => exchange.model))].sort();
    throw invalid(
      file,
      `It contains no answers from "${configuration.model}".`,
      `Choose one of: ${models.join(', ')}.`,
    );
  }
  const temperatureOf = ({ sent }: Variant) => sent['temperature'] ?? null;
  const fitting = ofModel.filter((exchange) =>
    [null, configuration.temperature].includes(temperatureOf(exchange) as number | null),
  );
  const chosen = fitting.filter(({ sent }) => fits(sent, configuration));
  const variants = new Map(
    (chosen.length > 0 ? chosen : fitting).map((exchange) => [
      canonicalJson([exchange.wireApi, exchange.sent]),
      exchange,
    ]),
  );
  const [variant] = variants.values();
  if (!variant) {
    const temperatures = [
      ...new Set(ofModel.map((exchange) => String(temperatureOf(exchange)))),
    ].sort();
    throw invalid(
      file,
      `"${configuration.model}" was not recorded with temperature ${configuration.temperature ?? 'none'}.`,
      `Choose the recorded one: ${temperatures.join(', ')}.`,
    );
  }
  if (variants.size > 1)
    throw invalid(
      file,
      `It contains answers from "${configuration.model}" with ${variants.size} different settings.`,
      'Record each one to its own file.',
    );
  return variant;
}

/** Whether a recorded variant of the model has the settings of the configuration. */
function fits(
  sent: RecordedExchange['sent'],
  { reasoningEffort, strict, deferTools, confidence, stream, ...configuration }: ModelConfiguration,
): boolean {
  return (
    additionNames.every((name) => (sent[name] ?? '{}') === canonicalJson(configuration[name])) &&
    (sent['stream'] ?? false) === stream &&
    (sent['reasoning_effort'] ?? null) === reasoningEffort &&
    (sent['strict'] ?? false) === strict &&
    (sent['defer_tools'] ?? false) === deferTools &&
    (sent['confidence'] ?? 'none') === confidence
  );
}

function invalid(file: string, cause: string, nextStep: string): ServiceError {
  return new ServiceError('INVALID', {
    thing: `Recording ${file}`,
    cause,
    nextStep,
    field: 'replayFile',
  });
}
