import { z } from 'zod';
import { reasons } from './reasons.ts';
import type { Recount } from './recount.ts';
import type { HiddenByClient } from './verdictTexts.ts';

const sentRows = z.looseObject({
  sent_tools: z
    .array(
      z.looseObject({
        published: z.number(),
        left_out: z.array(z.unknown()),
        by_client: z.looseObject({ name: z.string(), hidden: z.array(z.string()) }).optional(),
      }),
    )
    .default([]),
});

/** The client of a report with the tools that it hides; null if there is none, or it isn't said. */
export function hiddenByClient(document: unknown): HiddenByClient | null {
  const client = sentRows.parse(document).sent_tools[0]?.by_client;
  return client === undefined ? null : { name: client.name, tools: new Set(client.hidden) };
}

/** What was offered is what was published less what was left out. */
export function compareSentTools(document: unknown, recount: Recount): void {
  recount.notCheckedAll(
    reasons.tools,
    ['model_id', 'published', 'left_out', 'adapted', 'renamed', 'unreadable', 'by_client'].map(
      (name) => `sent_tools[*].${name}`,
    ),
  );
  const sent = sentRows.parse(document).sent_tools;
  if (sent.length === 0) recount.notChecked('sent_tools', reasons.tools);
  for (const [at, { published, left_out }] of sent.entries())
    recount.compare(['sent_tools', at, 'offered'], published - left_out.length);
}
