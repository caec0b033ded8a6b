import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import { modelConfiguration, type ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { isRemote, onlyModelOf } from '../../../src-shared/domain/provider.ts';
import type { AgentBackend, CallContext, Client } from './agentTool.ts';
import type { ReadAllowed } from './allowedFolder.ts';
import type { SessionBudget } from './sessionBudget.ts';

export interface RunningOptions {
  backend: AgentBackend;
  readFile: ReadAllowed;
  budget: SessionBudget;
  /** The models that may be asked, besides the built-in selector. */
  models: readonly ModelConfiguration[];
}

export const builtin = modelConfiguration.parse({
  provider: 'builtin',
  model: onlyModelOf('builtin'),
});

export const costsMoney = ({ provider }: Pick<ModelConfiguration, 'provider'>): boolean =>
  isRemote(provider);

/** Waits for the end of an evaluation, and cancels it if the call is canceled. */
async function waitForEnd(
  client: Client,
  { id, counts }: Evaluation,
  { signal, progress }: CallContext,
): Promise<Evaluation> {
  const cancel = (): void => void client.evaluations.cancel({ id }).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    let done = 0;
    for await (const event of await client.evaluations.watch({ id, afterSeq: 0 })) {
      if (event.type !== 'runs') continue;
      done += event.outcomes.length;
      progress(done, counts.total);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
  return client.evaluations.get({ id });
}

/** Cost of every answer in US dollars; null if one is unknown. */
export async function costOf(client: Client, id: string): Promise<number | null> {
  const { answers, costUsd } = (await client.evaluations.summary({ id })).usage.all;
  return answers === 0 ? 0 : costUsd;
}

/** What one evaluation is started with, what it may cost, and what its answer says. */
export interface Job<Answer> {
  paid: boolean;
  expectedUsd: (client: Client) => Promise<number | null>;
  start: (client: Client, spendLimitUsd: number | null) => Promise<Evaluation>;
  read: (client: Client, ended: Evaluation) => Promise<Answer>;
}

/** Runs an evaluation to its end, within the budget if it can cost money. */
export function runJob<Answer>(
  { budget, backend }: RunningOptions,
  job: Job<Answer>,
  context: CallContext,
) {
  return backend.write(async (client) => {
    const finish = async (started: Evaluation) => {
      const ended = await waitForEnd(client, started, context);
      const costUsd = job.paid ? await costOf(client, ended.id) : 0;
      return { costUsd, result: { ...(await job.read(client, ended)), cost_usd: costUsd } };
    };
    const answer = job.paid
      ? await budget.spend(
          await job.expectedUsd(client),
          (leftUsd) => job.start(client, leftUsd),
          finish,
        )
      : (await finish(await job.start(client, null))).result;
    return { ...answer, budget_left_usd: budget.leftUsd };
  });
}
