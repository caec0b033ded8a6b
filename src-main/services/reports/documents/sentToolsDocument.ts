import { z } from 'zod';
import type { SentTools, SentToolsOfModel } from '../../../../src-shared/domain/sentTools.ts';
import { published } from './published.ts';

type Item<List extends 'leftOut' | 'adapted' | 'renamed' | 'unreadable'> = SentTools[List][number];

const sentFields = {
  published: z.int().describe('Tools that the servers list, with those that nobody can use.'),
  offered: z.int().describe('`published` less those that are left out.'),
  left_out: z.array(
    published<Item<'leftOut'>>()({ tool_id: [z.string(), 'tool'], reason: z.string() }),
  ),
  adapted: z
    .array(
      published<Item<'adapted'>>()({
        tool_id: [z.string(), 'tool'],
        changes: z.array(z.string()),
      }),
    )
    .describe('Tools whose input schema was sent in another form.'),
  renamed: z
    .array(published<Item<'renamed'>>()({ tool_id: [z.string(), 'tool'], name: z.string() }))
    .describe('Tools that were called otherwise than server__tool.'),
  unreadable: z
    .array(
      published<Item<'unreadable'>>()({
        tool_id: [z.string(), 'tool'],
        places: z.array(z.string()),
      }),
    )
    .describe('Keywords that can’t be read: arguments aren’t judged by them.'),
  by_client: [
    z
      .strictObject({ name: z.string(), hidden: z.array(z.string()), cut: z.array(z.string()) })
      .optional()
      .describe('Of a client: the tools that it hides, and those whose description it cuts.'),
    'byClient',
  ],
} as const;
export const sentToolsDocument = published<SentTools>()(sentFields);

/** The same of each model of an evaluation. */
export const sentToolsOfModelDocument = published<SentToolsOfModel>()({
  model_id: [z.string(), 'modelSettingsId'],
  ...sentFields,
});

/** What each model was sent of the tools. Reports of earlier versions lack it. */
export const reportedSentTools = z
  .array(sentToolsOfModelDocument)
  .optional()
  .describe('What each model was sent of the tools, and what of them was left out or changed.');
