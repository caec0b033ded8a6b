import { reportRequest, type ReportFormat } from '../../../src-shared/domain/report.ts';
import { createSecretGuard } from '../../adapters/secrets/secretGuard.ts';
import type { Engine } from '../../testing/engine.ts';
import { ResultsService } from '../results/resultsService.ts';
import { ReportsService } from './reportsService.ts';

export const stamp = 'stamped';

const notCalled = () => {
  throw new Error('No other screen is asked for the report of an evaluation.');
};
export const resultsOf = (engine: Engine, reader = engine.reader): ResultsService =>
  new ResultsService({
    store: engine.database.store,
    reader,
    summarize: ({ id }, modelSettingsId) => engine.service.summary({ id, modelSettingsId }),
  });

/** The report of an evaluation as text, with the services behind the window. */
export async function exportAs(
  engine: Engine,
  id: string,
  format: ReportFormat,
  change: { short?: boolean; stamp?: string | null } = {},
  signal = new AbortController().signal,
  reader = engine.reader,
): Promise<string> {
  const service = new ReportsService({
    redactTexts: createSecretGuard().redactTexts,
    store: engine.database.store,
    reader,
    clock: engine.database.clock,
    version: '1.2.3',
    evaluations: engine.service,
    results: {
      compare: notCalled,
      verdict: (input) => resultsOf(engine, reader).verdict(input),
    },
    security: { scan: notCalled },
    similarity: { result: notCalled },
    taskEvaluations: { report: notCalled, shard: notCalled },
  });
  const parts: string[] = [];
  for await (const { text } of service.export(
    reportRequest.parse({ id, format, stamp, ...change }),
    { signal },
  ))
    parts.push(text);
  return parts.join('');
}
