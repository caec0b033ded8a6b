import { z } from 'zod';
import { clientName } from '../../src-shared/display/clientTexts.ts';
import { reasons } from './reasons.ts';
import type { Recount } from './recount.ts';
import type { HiddenByClient } from './verdictTexts.ts';

/** Reports of earlier versions lack it. */
const sentRows = z.looseObject({
  settings: z.looseObject({ client: z.string().optional() }),
  sent_tools: z
    .array(
      z.looseObject({
        published: z.number(),
        left_out: z.array(z.unknown()),
        by_client: z.looseObject({ hidden: z.array(z.string()) }).optional(),
      }),
    )
    .default([]),
});

/** The client of a report with the tools that it hides; null if there is none, or it isn't said. */
export function hiddenByClient(document: unknown): HiddenByClient | null {
  const { settings, sent_tools: sent } = sentRows.parse(document);
  const hidden = sent[0]?.by_client?.hidden;
  return settings.client === undefined || hidden === undefined
    ? null
    : { name: clientName(settings.client), tools: new Set(hidden) };
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
