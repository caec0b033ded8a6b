import { describeChangeCounts, countChanges } from '../../../../src-shared/display/changeCounts.ts';
import type { Client } from '../session.ts';

/** One line per server whose tools changed during an evaluation, or since they were last seen. */
export async function describeToolChanges(client: Client, id: string): Promise<string[]> {
  const found = await client.evaluations.toolChanges({ id });
  return found.map(({ server, when, seenAt, changes }) => {
    const what = describeChangeCounts(countChanges(changes));
    return when === 'before'
      ? `Server ${server}: its tools are not those that were listed on ${seenAt}: ${what}. ` +
          'This evaluation used the new ones.'
      : `Server ${server}: its tools changed while the evaluation ran (listed on ${seenAt}): ` +
          `${what}. It used the earlier ones.`;
  });
}
