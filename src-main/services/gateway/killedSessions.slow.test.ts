import { describe, expect, it } from 'vitest';
import { killSessions, sessionVictims } from '../../testing/killedSessions.ts';
import { isNightly, sampled } from '../../testing/nightly.ts';
import { seededRandom } from '../../testing/seededRandom.ts';

const rounds = isNightly ? 6 : 1;
/** An agent that is killed leaves what an evaluation leaves that is killed with its agents. */
const victims = sampled(sessionVictims, (victim) => victim !== 'agent');
const names: Readonly<Record<(typeof sessionVictims)[number], string>> = {
  client: 'the client is killed',
  gateway: 'the gateway is killed',
  server: 'the server is killed',
  configuration: 'a change of the client’s file is killed',
  agent: 'an agent is killed in its run',
  evaluation: 'the evaluation of an agent is killed',
};

// The processes of a killed one are found by `ps`.
describe.skipIf(process.platform === 'win32')('a session that is recorded', () => {
  it.each(victims.map((victim) => [names[victim], victim] as const))(
    'keeps every answered call, can be read, and leaves nothing, when %s at any moment',
    async (_, victim) => {
      const random = seededRandom(`kills of ${victim}`);
      const [figures] = await killSessions([victim], rounds, (below) => random.integer(below));
      expect(figures).toMatchObject({ lost: 0, unread: 0, unscored: 0, processes: 0 });
      expect(figures?.restored).toBe(true);
      expect(figures?.kills).toBeGreaterThanOrEqual(rounds);
    },
  );
});
