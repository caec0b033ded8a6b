import { useQueries } from '@tanstack/react-query';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { Outcome } from '../../../../../src-shared/domain/outcome.ts';
import type {
  Failures,
  PreviousChange,
  Verdict,
} from '../../../../../src-shared/domain/verdict.ts';
import { isResumable } from '../../../../../src-shared/display/evaluationTexts.ts';
import { whereByModel } from '../../../../../src-shared/display/failureTexts.ts';
import { biggestCause } from '../../../../../src-shared/display/verdictTexts.ts';
import { useApi } from '../../../../api/index.ts';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { VerdictPanel } from '../../../../ui/verdict/VerdictPanel.tsx';
import type { CompareAddress } from '../../compare/compareAddress.ts';
import { comparisonOf } from '../../compare/ComparePanel.tsx';
import { ResumeButton } from '../../list/EvaluationParts.tsx';
import { nameModels } from '../../modelNames.ts';
import { FixTool, NotFinished } from '../../NextStep.tsx';
import { useProven } from '../useProven.ts';
import { modelToFix, presetModel } from './chosenModel.ts';
import type { CaseTabProps } from './resultAddress.ts';

interface ResultVerdictProps extends Omit<CaseTabProps, 'onChange'> {
  /** Null while they load. */
  failures: Failures | null;
  onOutcome: (outcome: Outcome) => void;
  onCompare: (compared: CompareAddress | null) => void;
}

/**
 * The verdict with its next step: resume what is missing, or fix what fails most. While the
 * evaluation runs, it is the verdict so far.
 */
export function ResultVerdict(props: ResultVerdictProps) {
  const { evaluation, verdict, address, onOutcome, onCompare } = props;
  const names = nameModels(evaluation.models);
  const running = !hasEnded(evaluation.state);
  const previous = usePrevious(evaluation, verdict, names);
  const next = useNextStep(props, names);
  const { chip, comparison } = comparisonOf({
    one: { unit: 'case', evaluation },
    address: address.compared,
    preset: presetModel(verdict, address.model),
    baseId: evaluation.settings.whatIf?.baseId ?? previous?.evaluationId ?? null,
    onChange: onCompare,
  });
  return (
    <VerdictPanel
      verdict={verdict}
      modelName={(id) => names.get(id) ?? id}
      onOutcome={onOutcome}
      soFar={running}
      {...(chip && { compare: { previous, ...chip } })}
      comparison={comparison}
      {...(isResumable(evaluation)
        ? {
            next: <NotFinished reason={evaluation.reason} />,
            actions: <ResumeButton unit="case" evaluation={evaluation} prominent="filled" />,
          }
        : next)}
    />
  );
}

/** As many models are named in a sentence. */
const maxNamed = 4;

/** The biggest cause in a sentence, with the way to its fix. */
function useNextStep(
  { evaluation, verdict, failures, address }: ResultVerdictProps,
  names: ReadonlyMap<string, string>,
) {
  const proven = useProven();
  const counts = failures?.tools.find(({ causes }) =>
    causes.some((cause) => isSame(cause, verdict.causes[0])),
  );
  const models = counts?.causes.find((cause) => isSame(cause, verdict.causes[0]))?.models ?? [];
  const several = verdict.models.length > 1;
  const where =
    several && models.length > 0 && evaluation.models.length <= maxNamed
      ? whereByModel(
          evaluation.models.map(({ id }) => ({
            name: names.get(id) ?? id,
            runs: models.find(({ modelSettingsId }) => modelSettingsId === id)?.runs ?? 0,
          })),
          evaluation.settings.repetitions > 1 ? 'run' : 'case',
        )
      : undefined;
  const cause = biggestCause(verdict, where);
  if (cause === null) return {};
  const running = !hasEnded(evaluation.state);
  return {
    next: (
      <>
        <b>{running ? `${cause.label} so far:` : `${cause.label}:`}</b>{' '}
        <RichSentence text={cause.text} />
        {cause.tool !== null && proven.has(cause.tool) && ' A proven fix is ready.'}
      </>
    ),
    actions: !running && (
      <FixTool
        evaluationId={evaluation.id}
        tool={cause.tool}
        models={evaluation.models.map(({ id, model }) => ({ id, label: names.get(id) ?? model }))}
        preset={modelToFix(verdict, counts?.models ?? [], address.model)}
        prominent="filled"
      />
    ),
  };
}

const isSame = (a: Verdict['causes'][number], b: Verdict['causes'][number] | undefined): boolean =>
  a.outcome === b?.outcome && a.expected === b.expected && a.called === b.called;

/** More models are not asked one by one. */
const maxAsked = 6;

/** The change of the shown model since the previous result; of several, the first that has one. */
function usePrevious(
  evaluation: Evaluation,
  verdict: Verdict,
  names: ReadonlyMap<string, string>,
): PreviousChange | null {
  const { queries } = useApi();
  const ask =
    verdict.models.length > 1 && verdict.models.length <= maxAsked && hasEnded(evaluation.state);
  const each = useQueries({
    queries: verdict.models.map(({ modelSettingsId }) =>
      queries.results.verdict.queryOptions({
        input: { id: evaluation.id, modelSettingsId },
        enabled: ask,
      }),
    ),
  });
  if (verdict.previous !== null) return verdict.previous;
  const at = each.findIndex(({ data }) => data?.previous != null);
  const found = each[at]?.data?.previous ?? null;
  return (
    found && {
      ...found,
      model: names.get(verdict.models[at]?.modelSettingsId ?? '') ?? found.model,
    }
  );
}
