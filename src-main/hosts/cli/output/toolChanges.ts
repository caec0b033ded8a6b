import { describeChangeCounts, countChanges } from '../../../../src-shared/display/changeCounts.ts';
import { exactTime } from '../../../../src-shared/display/dates.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { Client } from '../session.ts';
import type { Output } from './output.ts';

/** One line per server whose tools changed during an evaluation, or since they were last seen. */
export async function noteToolChanges(
  client: Client,
  evaluation: { unit: EvaluationUnit; id: string },
  output: Output,
): Promise<void> {
  for (const { server, when, seenAt, changes } of await client.evaluations.toolChanges(
    evaluation,
  )) {
    const what = describeChangeCounts(countChanges(changes));
    const seen = exactTime(seenAt) ?? seenAt;
    output.note(
      when === 'before'
        ? `Server ${server}: its tools differ from those listed on ${seen}: ${what}. ` +
            'This evaluation used the new tools.'
        : `Server ${server}: its tools changed during the evaluation (listed on ${seen}): ` +
            `${what}. It used the earlier tools.`,
    );
  }
}
