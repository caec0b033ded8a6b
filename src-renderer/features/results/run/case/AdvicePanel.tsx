import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { quoted } from '../../../../../src-shared/display/verdictTexts.ts';
import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import { isToolLabel, splitToolId } from '../../../../../src-shared/domain/labels.ts';
import type { FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import { toolOfCause } from '../../../../../src-shared/metrics/toolsToFix.ts';
import { useApi } from '../../../../api/index.ts';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { PlainText } from '../../../../ui/text/PlainText.tsx';
import { fixLink } from '../../links.ts';
import classes from './case.module.css';

/** More advice than this is noise. */
const maxAdvice = 2;

interface AdvicePanelProps {
  evaluationId: string;
  detail: RunDetail;
  cause: FailureCause | null;
}

/**
 * What to change, and the way to the tool's definition. Without a text for this run, it says which
 * words of the request the definition lacks; without those, why there is no text.
 */
export function AdvicePanel({ evaluationId, detail, cause }: AdvicePanelProps) {
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
  return (
    <section className={classes.panel} aria-label="Advice">
      <div className={classes.head}>
        <h2 className={classes.title}>
          {advice.length > 0 || words.length > 0 ? 'Advice' : 'Next step'}
        </h2>
      </div>
      <div className={classes.advice}>
        {advice.map(({ message }) => (
          <p key={message}>
            <Foreign text={message} limit={1000} />
          </p>
        ))}
        {cause !== null && words.length > 0 && (
          <p>
            The request says {quoted(words)}, and the description of{' '}
            <code>
              <PlainText text={splitToolId(cause.expected).tool} />
            </code>{' '}
            doesn’t.
          </p>
        )}
        {tool !== null && (
          <Button
            component={Link}
            to={fixLink(evaluationId, tool, { model: detail.row.modelSettingsId })}
            fullWidth
            rightSection={<IconArrowRight size={16} aria-hidden />}
          >
            Fix&nbsp;
            <PlainText text={splitToolId(tool).tool} />
          </Button>
        )}
      </div>
    </section>
  );
}

/** The words of this request among those that the expected tool's definition lacks. */
function useMissingWords({ evaluationId, detail, cause }: AdvicePanelProps): readonly string[] {
  const { queries } = useApi();
  const failures = useQuery(
    queries.results.failures.queryOptions({
      input: { id: evaluationId, modelSettingsId: detail.row.modelSettingsId },
      enabled: cause !== null && isToolLabel(cause.expected),
    }),
  );
  if (cause === null) return [];
  const group = failures.data?.groups.find(
    ({ outcome, expected, called }) =>
      outcome === cause.outcome && expected === cause.expected && called === cause.called,
  );
  const own = new Set(detail.case.query.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u));
  return group?.missingWords.filter((word) => own.has(word)) ?? [];
}
