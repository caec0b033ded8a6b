import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { SuiteFile } from '../../../../src-shared/domain/suiteFile.ts';
import {
  inSuite,
  type CaseContent,
  type Expectation,
} from '../../../../src-shared/domain/testCase.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import { fromSuiteFile } from '../../suites/suiteFileCodec.ts';
import { renameCase, renamedTools } from '../whatIf/renamedTools.ts';

/**
 * The cases that a re-scoring judges by new expectations, by position. A suite case replaces the
 * expectation of a frozen case when it has the same id and asks the same query; the query and what
 * the model was shown never change. Throws INVALID when no case matches.
 */
export function newExpectations(
  store: Store,
  evaluation: EvaluationRow,
  suite: SuiteFile | 'workspace',
): Map<number, CaseContent> {
  const known = suite === 'workspace' ? readWorkspaceCases(store, evaluation) : casesOfFile(suite);
  const names = renamedTools(evaluation.settings.whatIf?.changes ?? []);
  const found = new Map<number, CaseContent>();
  let matchingCases = 0;
  for (const { position, sourceId, key, content } of store.entries.each('case', evaluation.id)) {
    const current = known.get(sourceId) ?? known.get(key);
    if (!current || current.query !== content.query) continue;
    matchingCases += 1;
    const { expectedCalls, orderDependent, allowedCalls, argumentsMode } = current;
    const renamed = renameCase(
      { ...content, expectedCalls, orderDependent, allowedCalls, argumentsMode },
      names,
    );
    if (JSON.stringify(renamed) !== JSON.stringify(content)) found.set(position, renamed);
  }
  if (matchingCases === 0) {
    throw new ServiceError('INVALID', {
      thing: `Evaluation #${evaluation.number}`,
      cause: 'No case of that suite has the same ID and query as one of its cases.',
      nextStep: 'Choose the suite it was run with.',
      field: 'expectations',
    });
  }
  return found;
}

/** Suite cases by id and by key. */
type CurrentCases = Map<string, Expectation & { query: string }>;

function casesOfFile(file: SuiteFile): CurrentCases {
  const suite = fromSuiteFile(file);
  return new Map(suite.cases.map((suiteCase) => [suiteCase.key, inSuite(suiteCase, suite)]));
}

function readWorkspaceCases(store: Store, evaluation: EvaluationRow): CurrentCases {
  const suite = evaluation.suiteId === null ? null : store.suites.get(evaluation.suiteId);
  if (!suite) {
    throw new ServiceError('NOT_FOUND', {
      thing: `The suite of evaluation #${evaluation.number}`,
      cause: 'It is no longer in the workspace, or was read from a file.',
      nextStep: 'Provide the suite as a file.',
      field: 'expectations',
    });
  }
  const known: CurrentCases = new Map();
  for (const stored of store.testCases.listBySuite(suite.id)) {
    const suiteCase = inSuite(stored, suite);
    known.set(suiteCase.id, suiteCase).set(suiteCase.key, suiteCase);
  }
  return known;
}
