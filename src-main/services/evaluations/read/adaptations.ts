import { z } from 'zod';
import type { RunDetail } from '../../../../src-shared/domain/evaluation.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';

const adaptationNote = z.object({
  excluded: z.array(z.object({ tool: z.string(), reason: z.string() })).default([]),
  relaxations: z.array(z.string()).default([]),
});

/**
 * How the tools were adapted for the provider, as the model's adapter noted it. An unreadable note
 * counts as none, because old runs have other formats.
 */
export function adaptationsOf(details: JsonValue | undefined): RunDetail['adaptations'] {
  const read = adaptationNote.safeParse(details);
  return read.success ? read.data : { excluded: [], relaxations: [] };
}
