import type { ListedResult } from '../../../../src-shared/contract/results.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import { remoteProviders } from '../../../../src-shared/domain/provider.ts';
import {
  typedAdditions,
  type TypedAdditions,
} from '../../../../src-shared/domain/requestAdditions.ts';
import { noSecondModel, type SecondModelForm } from '../../../models/secondModelForm.ts';
import type { EvaluationForm } from './evaluationForm.ts';
import { emptyRow, type ModelRow } from './modelRow.ts';

/** What a stored text says where it held a credential. */
const redacted = '[redacted]';

/**
 * The form as an earlier evaluation was started with: provider, address, model, its options,
 * prompt, mode and numbers. Never a credential, a file that is written, or what was agreed to.
 * Fields of the other unit stay as in `start`.
 */
export function formOfResult(result: ListedResult, start: EvaluationForm): EvaluationForm {
  const { settings } = result.evaluation;
  const [first] = settings.models;
  const form: EvaluationForm = {
    ...start,
    servers: settings.servers,
    models: settings.models.map((model, index) => rowOf(index + 1, model)),
    repetitions: settings.repetitions,
    concurrency: settings.concurrency,
    timeout: first?.timeout ?? start.timeout,
    temperature: first?.temperature ?? '',
    maxRetries: first?.maxRetries ?? start.maxRetries,
    systemPrompt: settings.systemPrompt,
    serverInstructions: settings.serverInstructions,
    spendLimitUsd: settings.spendLimitUsd ?? '',
    clients: settings.client === undefined ? [] : [settings.client],
  };
  if (result.unit === 'task') {
    const { mode, judge, moreJudges, userModel } = result.evaluation.settings;
    const judges = secondModelOf(judge, moreJudges);
    return { ...form, mode, judge: judges, user: secondModelOf(userModel) };
  }
  const { highConfidence, seed, caseOrder, toolOrder, argumentsMode, maxTurns, gates } =
    result.evaluation.settings;
  return {
    ...form,
    ...{ highConfidence, seed, caseOrder, toolOrder, argumentsMode, maxTurns },
    gates: gates.map((gate, index) => ({ ...gate, key: index + 1 })),
  };
}

function rowOf(key: number, model: ModelConfiguration): ModelRow {
  const { provider, replayFile, command, contextTokens, requestsPerMinute, maxWait } = model;
  const { api, reasoningEffort, strict, deferTools, confidence } = model;
  return {
    ...emptyRow(key, provider),
    ...{ model: model.model, baseUrl: addressOf(model) },
    replayFile: replayFile ?? '',
    command: (model.agent?.command ?? command ?? [])
      .map((word) => (/\s/.test(word) ? `"${word}"` : word))
      .join(' '),
    ...{ api, reasoningEffort, strict, deferTools, confidence },
    contextTokens: contextTokens ?? '',
    requestsPerMinute: requestsPerMinute ?? '',
    maxWait: maxWait ?? '',
    ...additionsOf(model),
  };
}

/** The form has one endpoint: judges of another one are left out. */
function secondModelOf(
  model: ModelConfiguration | null,
  more: readonly ModelConfiguration[] = [],
): SecondModelForm {
  const provider = remoteProviders.find((one) => one === model?.provider);
  if (model === null || provider === undefined) return noSecondModel;
  const own = more.filter((one) => one.provider === provider && one.baseUrl === model.baseUrl);
  return {
    ...{ provider, model: [model, ...own].map((one) => one.model).join(', ') },
    ...{ baseUrl: addressOf(model), additions: additionsOf(model) },
  };
}

const addressOf = ({ baseUrl }: ModelConfiguration): string =>
  baseUrl === null || baseUrl.includes(redacted) ? '' : baseUrl;

/** Additions to requests as they are typed, without lines that held a credential. */
function additionsOf(model: ModelConfiguration): TypedAdditions {
  const { stream, ...typed } = typedAdditions(model);
  const kept = (text: string): string =>
    text
      .split('\n')
      .filter((line) => !line.includes(redacted))
      .join('\n');
  const { headers, query, body } = typed;
  return { stream, headers: kept(headers), query: kept(query), body: kept(body) };
}
