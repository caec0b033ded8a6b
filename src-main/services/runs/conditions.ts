import { z } from 'zod';
import { clientName } from '../../../src-shared/display/clientTexts.ts';
import { settingText } from '../../../src-shared/display/settingText.ts';
import type { EvaluationSettings } from '../../../src-shared/domain/evaluation.ts';
import {
  firstPromptVersion,
  judgeLabels,
  promptVersionOf,
} from '../../../src-shared/domain/judges.ts';
import { modelConditions } from '../../../src-shared/domain/modelFields.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import type { StoredTaskSettings } from '../../../src-shared/domain/taskEvaluation.ts';
import type { PriorMessage } from '../../../src-shared/domain/testCase.ts';
import { sha256 } from '../../runtime/sha256.ts';

/**
 * Everything besides cases, model and tools that can explain a difference between two results, by the
 * name that a comparison says. Evaluations, reports and tasks compare this list and no other.
 */
export const conditionNames = [
  ...modelConditions,
  'agent version',
  'system prompt',
  'earlier messages',
  'server instructions',
  'client',
  'servers',
  'repetitions',
  'tools shown',
  'retriever',
  'turns',
  'arguments mode',
  'tool order',
  'case order',
  'seed',
  'judge',
  'judge counts',
] as const;
export type ConditionName = (typeof conditionNames)[number];

const condition = z.union([z.string(), z.number(), z.boolean(), z.null()]);
type Condition = z.infer<typeof condition>;

/** The conditions of one model in one evaluation. A missing one is not known. */
export const conditions = z.partialRecord(z.enum(conditionNames), condition);
export type Conditions = z.infer<typeof conditions>;

/** Conditions as another version may have written them: what is not in the list is left out. */
export const readConditions = (written: Readonly<Record<string, unknown>>): Conditions =>
  Object.fromEntries(
    conditionNames.flatMap((name) => {
      const read = condition.safeParse(written[name]);
      return read.success ? [[name, read.data]] : [];
    }),
  );

/** Texts that are compared and never shown: they may be long. */
const texts: ReadonlySet<ConditionName> = new Set([
  'system prompt',
  'earlier messages',
  'command',
  'agent template',
]);

const hashOf = (text: string | null): string | null => text && sha256(text);

interface FrozenTexts {
  system: string | null;
  messages: readonly PriorMessage[];
}

/** What cases and tasks have in common. */
function common(
  settings: Pick<
    EvaluationSettings,
    'serverInstructions' | 'servers' | 'repetitions' | 'repetitionsUpTo'
  >,
  { system, messages }: FrozenTexts,
  model: ModelSettings,
): Conditions {
  const { sent } = model;
  const sentOr = (name: string, configured: Condition): Condition =>
    name in sent ? (sent[name] ?? null) : configured;
  return {
    'base URL': model.baseUrl,
    'agent template': model.agent === undefined ? null : hashOf(JSON.stringify(model.agent)),
    'agent version': sent['program_version'] ?? null,
    command: model.command && hashOf(JSON.stringify(model.command)),
    'wire format': model.wireApi,
    temperature: sentOr('temperature', model.temperature),
    effort: sentOr('reasoning_effort', model.reasoningEffort),
    'strict mode': sentOr('strict', model.strict) === true,
    'deferred tools': sentOr('defer_tools', model.deferTools) === true,
    headers: sent['headers'] ?? null,
    query: sent['query'] ?? null,
    'body fields': sent['body'] ?? null,
    streaming: sent['stream'] === true ? true : null,
    timeout: model.timeout,
    retries: model.maxRetries,
    'context size': model.contextTokens,
    'system prompt': hashOf(system === '' ? null : system),
    'earlier messages': messages.length === 0 ? null : hashOf(JSON.stringify(messages)),
    'server instructions': settings.serverInstructions,
    servers: settings.servers === null ? null : settings.servers.toSorted().join(', '),
    repetitions: settings.repetitionsUpTo ?? settings.repetitions,
  };
}

export function caseConditions(
  settings: EvaluationSettings,
  frozen: FrozenTexts,
  model: ModelSettings,
): Conditions {
  const isShuffled = settings.toolOrder === 'shuffled' || settings.caseOrder === 'shuffled';
  return {
    ...common(settings, frozen, model),
    'confidence by': model.confidence,
    client: settings.client ?? null,
    'tools shown': settings.topK,
    retriever: settings.topK === null ? null : settings.retriever,
    turns: settings.maxTurns,
    'arguments mode': settings.argumentsMode,
    'tool order': settings.toolOrder,
    'case order': settings.caseOrder,
    // Without a random order the seed decides nothing.
    seed: isShuffled ? settings.seed : null,
    judge: null,
    'judge counts': null,
  };
}

/**
 * The conditions of a model in an evaluation of tasks. Execution mode and simulated user are none:
 * results that differ in them are not compared at all.
 */
export function taskConditions(
  settings: StoredTaskSettings,
  frozen: FrozenTexts,
  model: ModelSettings,
): Conditions {
  return {
    ...common(settings, frozen, model),
    'confidence by': null,
    client: settings.client ?? null,
    'tools shown': null,
    retriever: null,
    turns: null,
    'arguments mode': null,
    'tool order': null,
    'case order': null,
    seed: null,
    judge: settings.judge && judgeText(settings),
    'judge counts': settings.judgeTerms?.counts ?? null,
  };
}

/** The judges, and their prompt if it isn't the first one that there was. */
function judgeText(settings: StoredTaskSettings): string {
  const prompt = promptVersionOf(settings);
  const labels = judgeLabels(settings);
  return prompt === firstPromptVersion ? labels : `${labels}, prompt ${prompt}`;
}

/** The conditions of several models taken together: each different value once. */
export function pooledConditions(all: readonly Conditions[]): Conditions {
  const [first, ...others] = all;
  if (first === undefined || others.length === 0) return first ?? {};
  return Object.fromEntries(
    conditionNames.flatMap((name) => {
      const values = all.map((each) => each[name]);
      if (values.includes(undefined)) return [];
      const [value] = values;
      return [
        [
          name,
          values.every((each) => each === value) ? value : values.map(String).sort().join(', '),
        ],
      ];
    }),
  );
}

const conditionText = (name: ConditionName, value: Condition): string =>
  name === 'client' ? clientName(String(value ?? 'generic')) : settingText(value);

/**
 * What differs, in the order of the list: `temperature: 0.4 → 0`, or only the name of a text. What
 * only one side says is listed as not known, because it may differ.
 */
export function differingConditions(before: Conditions, after: Conditions): string[] {
  const unknown = conditionNames.filter(
    (name) => before[name] === undefined || after[name] === undefined,
  );
  return [
    ...conditionNames.flatMap((name) => {
      const [old, now] = [before[name], after[name]];
      if (old === undefined || now === undefined || old === now) return [];
      if (texts.has(name)) return [name];
      return [`${name}: ${conditionText(name, old)} → ${conditionText(name, now)}`];
    }),
    ...(unknown.length === 0 ? [] : [`not known: ${unknown.join(', ')}`]),
  ];
}
