import { z } from 'zod';
import { reportSubjects, type ReportSubject } from '../../../../src-shared/domain/report.ts';
import { comparisonDocument } from './comparisonDocument.ts';
import { evaluationDocument } from './evaluationDocument.ts';
import { lintDocument } from './lintDocument.ts';
import { retrievalDocument } from './retrievalDocument.ts';
import { securityDocument } from './securityDocument.ts';
import { similarityDocument } from './similarityDocument.ts';
import { tasksDocument } from './tasksDocument.ts';
import { tokensDocument } from './tokensDocument.ts';

const documents: Readonly<Record<ReportSubject, z.ZodType>> = {
  evaluation: evaluationDocument,
  comparison: comparisonDocument,
  similarity: similarityDocument,
  retrieval: retrievalDocument,
  security: securityDocument,
  tokens: tokensDocument,
  lint: lintDocument,
  tasks: tasksDocument,
};

/**
 * The JSON Schema (2020-12) of each JSON report by file name, for other programs.
 * `scripts/writeReportSchema.ts` writes them to `datasets`.
 */
export const reportSchemaTexts = (): Map<string, string> =>
  new Map(
    reportSubjects.map((subject) => [
      `${subject}_report.schema.json`,
      `${JSON.stringify(z.toJSONSchema(documents[subject], { target: 'draft-2020-12', reused: 'ref', unrepresentable: 'any' }), null, 2)}\n`,
    ]),
  );
