import { describeChangeCounts, countChanges } from '../../../../src-shared/display/changeCounts.ts';
import { exactTime } from '../../../../src-shared/display/dates.ts';
import type { Client } from '../session.ts';

/** One line per server whose tools changed during an evaluation, or since they were last seen. */
export async function describeToolChanges(client: Client, id: string): Promise<string[]> {
  const found = await client.evaluations.toolChanges({ id });
  return found.map(({ server, when, seenAt, changes }) => {
    const what = describeChangeCounts(countChanges(changes));
    const seen = exactTime(seenAt) ?? seenAt;
    return when === 'before'
      ? `Server ${server}: its tools differ from those listed on ${seen}: ${what}. ` +
          'This evaluation used the new tools.'
      : `Server ${server}: its tools changed during the evaluation (listed on ${seen}): ` +
          `${what}. It used the earlier tools.`;
  });
}
