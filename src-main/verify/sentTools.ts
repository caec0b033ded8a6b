import { z } from 'zod';
import { reasons } from './reasons.ts';
import type { Recount } from './recount.ts';

/** Reports of earlier versions lack it. */
const sentRows = z.looseObject({
  sent_tools: z
    .array(z.looseObject({ published: z.number(), left_out: z.array(z.unknown()) }))
    .default([]),
});

/** What was offered is what was published less what was left out. */
export function compareSentTools(document: unknown, recount: Recount): void {
  recount.notCheckedAll(
    reasons.tools,
    ['model_id', 'published', 'left_out', 'adapted', 'renamed', 'unreadable'].map(
      (name) => `sent_tools[*].${name}`,
    ),
  );
  const sent = sentRows.parse(document).sent_tools;
  if (sent.length === 0) recount.notChecked('sent_tools', reasons.tools);
  for (const [at, { published, left_out }] of sent.entries())
    recount.compare(['sent_tools', at, 'offered'], published - left_out.length);
}
