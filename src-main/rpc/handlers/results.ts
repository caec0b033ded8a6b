import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';

/** Each call of the results topic with the method of the service that answers it. */
export function resultsHandlers(results: Services['results']): Handlers<'results'> {
  return {
    verdict: os.results.verdict.handler(({ input }) => results.verdict(input)),
    failures: os.results.failures.handler(({ input }) => results.failures(input)),
    compare: os.results.compare.handler(({ input }) => results.compare(input)),
    trend: os.results.trend.handler(({ input }) => results.trend(input)),
    metrics: os.results.metrics.handler(({ input }) => results.metrics(input)),
    metricsChoices: os.results.metricsChoices.handler(() => results.metricsChoices()),
    serverCases: os.results.serverCases.handler(({ input }) => results.serverCases(input)),
    latencies: os.results.latencies.handler(({ input }) => results.latencies(input)),
    unscored: os.results.unscored.handler(({ input }) => results.unscored(input)),
    analysis: os.results.analysis.handler(({ input }) => results.analysis(input)),
  };
}
