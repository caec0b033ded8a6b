import { describeChangeCounts, countChanges } from '../../../../src-shared/display/changeCounts.ts';
import type { Client } from '../session.ts';

/** What marks an evaluation whose servers' tools are not those that were seen: a line each. */
export async function changedTools(client: Client, id: string): Promise<string[]> {
  const found = await client.evaluations.toolChanges({ id });
  return found.map(({ server, when, seenAt, changes }) => {
    const what = describeChangeCounts(countChanges(changes));
    return when === 'before'
      ? `Server ${server}: its tools are not those that were listed on ${seenAt}: ${what}. This evaluation used the new ones.`
      : `Server ${server}: its tools changed while the evaluation ran (listed on ${seenAt}): ${what}. It used the earlier ones.`;
  });
}
