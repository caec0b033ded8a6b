import type { ClientId, PresentedAs } from '../domain/clientFacts.ts';
import type { EvaluationPlan, PlannedModel } from '../domain/evaluationPlan.ts';
import type { TaskPlan } from '../domain/taskEvaluation.ts';
import { clientName } from './clientTexts.ts';
import { formatUsd } from './numbers.ts';

/** What a plan costs: `about $0.12`, or `price unknown`: what has no price doesn't cost 0. */
export const aboutCost = (usd: number | null): string =>
  usd === null ? 'price unknown' : `about ${formatUsd(usd)}`;

export const programText = (
  label: string,
  { file, version }: NonNullable<PlannedModel['program']>,
): string =>
  file === null
    ? `${label}: its program isn't installed.`
    : `${label}: ${version === null ? 'version not known' : `version ${version}`}, ${file}`;

export const costAssumptions = {
  case: 'These tokens at the listed price, assuming 120 tokens per answer',
  task:
    'These tokens at the listed price, assuming one call per turn, or those that the checks ' +
    'require, and 120 tokens per answer and per result',
};

export const tokenSourceTexts = {
  estimated:
    'Estimated: cl100k_base tokens of the tools, queries, and prompts of all runs. The provider may count differently.',
  counted:
    'The provider counted the first request for each list of servers. The queries of ' +
    'other requests are estimated.',
};

/** What is said of one client among several, with its name in front unless it is in the text. */
export function ofClient(client: PresentedAs | undefined, text: string): string {
  const name = clientName(client ?? 'generic');
  return text.includes(name) ? text : `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${text}`;
}

/**
 * The plans of one evaluation for each client as one plan: runs and costs added, models named with
 * their client, equal problems once. Of one plan, itself. Undefined while one isn't known.
 */
export function plansTogether<Plan extends EvaluationPlan | TaskPlan>(
  plans: readonly (readonly [client: ClientId | undefined, plan: Plan | undefined])[],
): Plan | undefined {
  const known = plans.flatMap(([client, plan]) => (plan ? [{ client, plan }] : []));
  const [first] = known;
  if (first === undefined || known.length < plans.length) return undefined;
  if (known.length === 1) return first.plan;
  const models = known.flatMap(({ client, plan }) =>
    plan.models.map((model) => ({
      ...model,
      label: `${model.label} (${clientName(client ?? 'generic')})`,
    })),
  );
  const problems = known.flatMap(({ client, plan }) =>
    plan.problems.map((problem) => ({ client, problem })),
  );
  const times = Map.groupBy(problems, ({ problem }) => problem.message);
  // What is not said of every client is said of one.
  const said = problems.map(({ client, problem }) =>
    (times.get(problem.message)?.length ?? 0) < known.length
      ? { ...problem, message: ofClient(client, problem.message) }
      : problem,
  );
  return {
    ...first.plan,
    runs: known.reduce((sum, { plan }) => sum + plan.runs, 0),
    models: models.map((model, index) => ({ ...model, index })),
    problems: [...new Map(said.map((problem) => [problem.message, problem])).values()],
    costUsd: known.reduce<number | null>(
      (sum, { plan }) => (sum === null || plan.costUsd === null ? null : sum + plan.costUsd),
      0,
    ),
  };
}
