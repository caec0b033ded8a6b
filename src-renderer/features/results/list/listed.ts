import {
  isResumable,
  rateText,
  resultText,
} from '../../../../src-shared/display/evaluationTexts.ts';
import {
  isStoppedEarly,
  taskRateText,
  taskResultText,
} from '../../../../src-shared/display/taskTexts.ts';
import type { ListedResult, ResultGroup } from '../../../../src-shared/contract/results.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { derivedText } from '../../../../src-shared/display/originTexts.ts';
import { shortModelNames } from '../../../../src-shared/display/shortModelName.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { evaluationLink } from '../links.ts';

/** A result of either unit. */
export type Listed = ListedResult;

/** What a list shows of an evaluation, whatever its kind. */
export function listedFacts(one: Listed): {
  to: string;
  models: string;
  result: string;
  rate: string;
  resumable: boolean;
} {
  const models = shortModelNames(one.evaluation.models.map(modelLabel));
  const to = evaluationLink(one.evaluation.id);
  if (one.unit === 'case')
    return {
      to,
      models,
      result: resultText(one.evaluation),
      rate: rateText(one.evaluation),
      resumable: isResumable(one.evaluation),
    };
  return {
    to,
    models,
    result: taskResultText(one.evaluation),
    rate: taskRateText(one.evaluation),
    resumable: isStoppedEarly(one.evaluation),
  };
}

/** What is folded under a result: `2 estimates, 1 search`; empty if nothing is. */
export function foldedText({ derived, searches }: ResultGroup): string {
  const origins = derived.flatMap(({ evaluation: { origin } }) => (origin ? [origin] : []));
  const count = searches.length;
  return [derivedText(origins), count === 0 ? '' : counted(count, 'search', 'searches')]
    .filter((part) => part !== '')
    .join(', ');
}
