import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { ClientId } from '../../../../src-shared/domain/clientFacts.ts';
import { evaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import type { Client } from '../../../api/index.ts';
import type { PlannedRequest } from './evaluationForm.ts';
import { failedPlan, startTogether } from './startTogether.ts';

/** The evaluations of a core that refuses one client, in its plan or when it is started. */
function coreThat(refuses: { plan?: ClientId; start?: ClientId }) {
  const did: string[] = [];
  const evaluations = {
    plan: async ({ client }: PlannedRequest) => {
      did.push(`plan ${client}`);
      const problem = { severity: 'error', caseKey: null, message: 'It offers no tool.' };
      return { problems: client === refuses.plan ? [problem] : [] };
    },
    start: async ({ client, after = 'none' }: PlannedRequest & { after?: string }) => {
      if (client === refuses.start)
        throw new ServiceError('CONFLICT', {
          ...{ thing: 'The suite', cause: 'It is gone.', nextStep: 'Choose another.' },
        });
      did.push(`start ${client} after ${after}`);
      return { id: client };
    },
    cancel: async ({ id }: { id: string }) => {
      did.push(`cancel ${id}`);
    },
  };
  const requests = (['codex', 'claude-code'] as const).map((client) => ({
    ...evaluationSettings.parse({ suiteId: 's', models: [{ provider: 'builtin', model: 'm' }] }),
    ...{ client, unit: 'case' as const },
  }));
  const start = () =>
    startTogether({ evaluations } as unknown as Client, requests, { agreedServers: [] });
  return { did, start };
}

describe('evaluations of several clients', () => {
  it('are started one after the other, once every plan is in order', async () => {
    const { did, start } = coreThat({});
    await start();
    expect(did).toEqual([
      ...['plan codex', 'plan claude-code'],
      ...['start codex after none', 'start claude-code after codex'],
    ]);
  });

  it('are not started if the plan of a later one has an error, which names the client', async () => {
    const { did, start } = coreThat({ plan: 'claude-code' });
    await expect(start()).rejects.toMatchObject({
      data: { thing: 'Claude Code: It can’t be evaluated', cause: 'It offers no tool.' },
    });
    expect(did).toEqual(['plan codex', 'plan claude-code']);
  });

  it('are canceled if a later one can’t be started all the same', async () => {
    const { did, start } = coreThat({ start: 'claude-code' });
    await expect(start()).rejects.toMatchObject({
      data: { thing: 'Claude Code: The suite', cause: 'It is gone.', nextStep: 'Choose another.' },
    });
    expect(did.slice(2)).toEqual(['start codex after none', 'cancel codex']);
  });
});

describe('the plans of several clients', () => {
  const lost = { error: new Error('The connection was lost.'), refetch: () => 'asked again' };
  const made = { error: null, refetch: () => 'not asked' };
  const clients = (...ids: ClientId[]) => ids.map((client) => ({ client }));

  it('name the client whose plan failed, which is asked for again', () => {
    const failed = failedPlan(clients('codex', 'claude-code'), [made, lost]);
    expect(failed?.refetch()).toBe('asked again');
    expect(failed?.error).toMatchObject({
      data: {
        thing: 'Claude Code: Something went wrong',
        cause: 'The connection was lost.',
      },
    });
    expect(failedPlan(clients('codex', 'claude-code'), [made, made])).toBeUndefined();
  });

  it('name no client where there is one', () => {
    expect(failedPlan(clients('codex'), [lost])).toBe(lost);
  });
});
