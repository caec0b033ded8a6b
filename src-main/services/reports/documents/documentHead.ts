import { z } from 'zod';
import { clientIds } from '../../../../src-shared/domain/clientFacts.ts';
import { refusedSetting } from '../../../../src-shared/domain/refusedSetting.ts';
import type { ReportSubject } from '../../../../src-shared/domain/report.ts';
import type { ReportedTool } from '../../../../src-shared/domain/taskReport.ts';
import { toolSource } from '../../../../src-shared/domain/toolSource.ts';
import { jsonReportVersions } from '../formats/writeJson.ts';
import { published } from './published.ts';

/** The head of every JSON report; `writeJson` writes it. */
export const documentHead = <Subject extends ReportSubject>(subject: Subject) =>
  ({
    format: [z.literal(`touchstone-${subject}`), null],
    version: [z.literal(jsonReportVersions[subject]).describe('Version of this format.'), null],
    generated: [
      z.string().describe('Program, version and time, or what --stamp put in their place.'),
      null,
    ],
  }) as const;

export const reportedTool = published<ReportedTool>()({
  tool_id: z.string(),
  hash: z.string(),
  text_hash: z
    .string()
    .optional()
    .describe('Of its description and parameters alone, so that a renamed tool is found again.'),
});

export const reportedToolSource = toolSource.describe(
  'servers: asked when it ran. snapshot: a file; recording: a recorded run; for both, no server was started.',
);

export const refusedSettings = z
  .array(refusedSetting)
  .describe(
    'Settings that the endpoint refused, so that the requests after that went without them. Left ' +
      'out: none.',
  );

export const presentedClient = z
  .enum(clientIds)
  .optional()
  .describe('Tools are presented as this client shows them; left out: as providers take them.');
