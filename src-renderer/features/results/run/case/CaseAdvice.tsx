import { quoted } from '../../../../../src-shared/display/verdictTexts.ts';
import type { Evaluation, RunDetail, RunRow } from '../../../../../src-shared/domain/evaluation.ts';
import { isToolLabel, splitToolId } from '../../../../../src-shared/domain/labels.ts';
import type { FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import { toolOfCause } from '../../../../../src-shared/metrics/toolsToFix.ts';
import { useRead } from '../../../../api/index.ts';
import { Foreign, PlainText } from '../../../../ui/text/Foreign.tsx';
import { type ResultAddress, plainAddress, writeAddress } from '../../result/case/resultAddress.ts';
import { FixTool } from '../../NextStep.tsx';
import { AdvicePanel, SameRuns, shownAtOnce } from '../RunSide.tsx';

/** More advice than this is noise. */
const maxAdvice = 2;

interface CaseAdviceProps {
  evaluationId: string;
  detail: RunDetail;
  cause: FailureCause | null;
}

/**
 * What to change, and the way to the tool's definition. Without a text for this run, it says which
 * words of the request the definition lacks; without those, why there is no text.
 */
export function CaseAdvice({ evaluationId, detail, cause }: CaseAdviceProps) {
  const all = detail.score?.recommendations ?? [];
  const texts = all.filter(({ priority }) => priority !== 'low');
  const words = useMissingWords({ evaluationId, detail, cause: texts.length > 0 ? null : cause });
  // A next step without a text is only worth its place where nothing better is known.
  const advice = (texts.length === 0 && words.length === 0 ? all : texts).slice(0, maxAdvice);
  const tool =
    cause === null
      ? null
      : (advice.find(({ toolId }) => toolId !== null)?.toolId ?? toolOfCause(cause));
  if (advice.length === 0 && tool === null) return null;
  const model = detail.row.modelSettingsId;
  return (
    <AdvicePanel advises={advice.length > 0 || words.length > 0}>
      {advice.map(({ message }) => (
        <Foreign key={message} as="p" text={message} limit={1000} />
      ))}
      {cause !== null && words.length > 0 && (
        <p>
          The request says {quoted(words)}, and the description of{' '}
          <PlainText as="code" text={splitToolId(cause.expected).tool} /> doesn’t.
        </p>
      )}
      <FixTool
        evaluationId={evaluationId}
        tool={tool}
        models={[{ id: model, label: '' }]}
        preset={model}
        prominent="filled"
      />
    </AdvicePanel>
  );
}

/** The words of this request among those that the expected tool's definition lacks. */
function useMissingWords({ evaluationId, detail, cause }: CaseAdviceProps): readonly string[] {
  const failures = useRead((ask) => ask.results.failures, {
    input: { id: evaluationId, modelSettingsId: detail.row.modelSettingsId },
    enabled: cause !== null && isToolLabel(cause.expected),
  });
  if (cause === null) return [];
  const group = failures.data?.groups.find(
    ({ outcome, expected, called }) =>
      outcome === cause.outcome && expected === cause.expected && called === cause.called,
  );
  const own = new Set(detail.case.query.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u));
  return group?.missingWords.filter((word) => own.has(word)) ?? [];
}

interface SameCauseProps {
  evaluation: Evaluation;
  row: RunRow;
  cause: FailureCause;
  /** The list in which next and previous step. */
  address: ResultAddress;
}

/** The other runs of the model that fail by the same cause, each as a link. */
export function SameCause({ evaluation, row, cause, address }: SameCauseProps) {
  const { id, settings } = evaluation;
  const runs = useRead((ask) => ask.evaluations.runs, {
    input: {
      id,
      filter: { modelSettingsId: row.modelSettingsId, cause },
      limit: shownAtOnce + 1,
    },
  });
  if (runs.data === undefined || runs.data.total < 2) return null;
  const others = runs.data.rows.filter(({ runId }) => runId !== row.runId).slice(0, shownAtOnce);
  const total = runs.data.total - 1;
  const noun = settings.repetitions > 1 ? 'other run' : 'other case';
  const all = writeAddress({
    ...plainAddress,
    tab: 'runs',
    model: evaluation.models.length > 1 ? row.modelSettingsId : null,
    cause,
  });
  const list = writeAddress({ ...address, at: null }).toString();
  return (
    <SameRuns
      label="Same cause"
      total={total}
      noun={noun}
      runs={others.map(({ runId, query, repetition }) => ({
        to: `/results/${id}/runs/${runId}${list === '' ? '' : `?${list}`}`,
        text: query,
        repetition,
      }))}
      repeated={settings.repetitions > 1}
      all={`/results/${id}?${all.toString()}`}
    />
  );
}
