import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ShownResult } from '../../../src-shared/domain/report.ts';
import { hasEnded, type EvaluationState } from '../../../src-shared/domain/evaluationState.ts';
import { scanReport as scanned } from '../../../src-shared/domain/security.ts';
import { skill } from '../../../src-shared/domain/skill.ts';
import { taskReport } from '../../../src-shared/domain/taskReport.ts';
import type { ResultsService } from '../results/resultsService.ts';
import type { TaskEvaluationsService } from '../tasks/taskEvaluationsService.ts';
import { placesInSkills } from '../servers/skillsFolder.ts';
import type { SecurityService } from '../security/securityService.ts';
import type { Report } from './report.ts';
import { comparisonReport } from './subjects/comparisonReport.ts';
import { lintReport } from './subjects/lintReport.ts';
import { retrievalReport } from './subjects/retrievalReport.ts';
import { scanReport } from './subjects/scanReport.ts';
import { scoreReport } from './subjects/scoreReport.ts';
import { similarityReport } from './subjects/similarityReport.ts';
import type { SimilarityResult } from './subjects/similarityResult.ts';
import { tasksReport } from './subjects/tasksReport.ts';
import { tokensReport } from './subjects/tokensReport.ts';

/** Throws CONFLICT for an evaluation of cases or tasks that has not ended. */
export function refuseRunning(thing: string, { state }: { state: EvaluationState }): void {
  if (!hasEnded(state))
    throw new ServiceError('CONFLICT', {
      ...{ thing, cause: 'It is still running.' },
      nextStep: 'Wait until it ends, or cancel it first.',
    });
}

/** The services that the screens use, so that reports hold the same numbers. */
export interface ShownParts {
  results: Pick<ResultsService, 'compare' | 'verdict'>;
  security: Pick<SecurityService, 'scan'>;
  taskEvaluations: Pick<TaskEvaluationsService, 'report' | 'shard'>;
  /** Returns a whole analysis that is kept in memory. */
  similarity: {
    result: (id: string, threshold: number, signal: AbortSignal) => Promise<SimilarityResult>;
  };
}

/**
 * The report of a screen: stored results are read again by id, others are sent along by the screen.
 */
export async function shownReport(
  { results, security, similarity, taskEvaluations }: ShownParts,
  shown: ShownResult,
  generated: string,
  signal: AbortSignal,
): Promise<Report> {
  switch (shown.subject) {
    case 'comparison': {
      const { subject: _subject, ...request } = shown;
      return comparisonReport(await results.compare(request), generated);
    }
    case 'similarity':
      return similarityReport(
        await similarity.result(shown.id, shown.threshold, signal),
        generated,
      );
    case 'retrieval':
      return retrievalReport(shown.comparison, generated);
    case 'scan': {
      const scan = scanned.parse(await security.scan({ serverIds: shown.serverIds }, { signal }));
      const skills = scan.tools.flatMap(({ server, tool, definition }) => {
        const { data } = skill.safeParse(definition['skill']);
        return data === undefined ? [] : [{ server, name: tool, skill: data }];
      });
      const findPlace = placesInSkills(skills, new Map());
      return scanReport({ ...scan, failOn: null, file: null, findPlace }, generated);
    }
    case 'tasks': {
      const report = taskReport.parse(await taskEvaluations.report({ id: shown.id }));
      refuseRunning(`Task evaluation #${report.evaluation.number}`, report.evaluation);
      const { settings, id } = report.evaluation;
      return tasksReport(
        report,
        generated,
        null,
        settings.shard && (await taskEvaluations.shard({ id })),
      );
    }
    case 'score':
      return scoreReport(
        { title: shown.title, score: shown.score, gates: shown.gates, file: null },
        generated,
      );
    case 'tokens':
      return tokensReport(shown.count, shown.budget, generated);
    case 'lint':
      return lintReport({ report: shown.report, failOn: null, file: null }, generated);
  }
}
