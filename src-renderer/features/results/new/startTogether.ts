import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { ofClient } from '../../../../src-shared/display/planTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { Agreement, TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { Client } from '../../../api/index.ts';
import { describeError } from '../../../ui/notices/describeError.ts';
import type { PlannedRequest } from './evaluationForm.ts';

/** The first plan that failed, with the name of its client if there are several. */
export function failedPlan<Refetch>(
  requests: readonly Pick<PlannedRequest, 'client'>[],
  plans: readonly { error: unknown; refetch: Refetch }[],
): { error: unknown; refetch: Refetch } | undefined {
  const at = plans.findIndex(({ error }) => error !== null);
  const failed = plans[at];
  return failed === undefined || plans.length === 1
    ? failed
    : { ...failed, error: errorOf(requests[at]?.client, failed.error) };
}

/** An error of the plan or the start of one client among several, with its name. */
function errorOf(client: PlannedRequest['client'], error: unknown): ServiceError {
  const { thing, cause, nextStep } = describeError(error);
  return new ServiceError('CONFLICT', { thing: ofClient(client, thing), cause, nextStep });
}

/**
 * Starts an evaluation for each client, each after the one before, or none of them: every plan is
 * made again before the first is started. If one can't be started all the same, those before it are
 * canceled. The error names the client.
 */
export async function startTogether(
  { evaluations }: Pick<Client, 'evaluations'>,
  requests: readonly PlannedRequest[],
  agreed: Agreement,
): Promise<(Evaluation | TaskEvaluation)[]> {
  const isOne = requests.length === 1;
  const named = async <T>({ client }: PlannedRequest, ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      throw isOne ? error : errorOf(client, error);
    }
  };
  if (!isOne)
    for (const request of requests) {
      const { problems } = await named(request, async () => evaluations.plan(request));
      const error = problems.find(({ severity }) => severity === 'error');
      if (error !== undefined)
        throw new ServiceError('CONFLICT', {
          thing: ofClient(request.client, 'It can’t be evaluated'),
          cause: error.message,
          nextStep: 'Nothing was started. Fix this, or leave this client out.',
        });
    }
  const started: (Evaluation | TaskEvaluation)[] = [];
  try {
    for (const request of requests) {
      const before = started.at(-1);
      const next = { ...request, ...(before && { after: before.id }) };
      started.push(
        await named(request, async () =>
          next.unit === 'task'
            ? await evaluations.start({ ...next, ...agreed })
            : await evaluations.start(next),
        ),
      );
    }
  } catch (error) {
    await Promise.all(started.map(({ id }) => evaluations.cancel({ id })));
    throw error;
  }
  return started;
}
