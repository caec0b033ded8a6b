import type { ShownResult } from '../../../src-shared/domain/report.ts';
import { scanReport as scanned } from '../../../src-shared/domain/security.ts';
import { skill } from '../../../src-shared/domain/skill.ts';
import type { ResultsService } from '../results/resultsService.ts';
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
import { tokensReport } from './subjects/tokensReport.ts';

/** The services that the screens use, so that reports hold the same numbers. */
export interface ShownParts {
  results: Pick<ResultsService, 'compare' | 'verdict'>;
  security: Pick<SecurityService, 'scan'>;
  /** Returns a whole analysis that is kept in memory. */
  similarity: {
    result: (id: string, threshold: number, signal: AbortSignal) => Promise<SimilarityResult>;
  };
}

/**
 * The report of a screen: stored results are read again by id, others are sent along by the screen.
 */
export async function shownReport(
  { results, security, similarity }: ShownParts,
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
