import { Button } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { RunDetail } from '../../../../src-shared/domain/evaluation.ts';
import { isAnyOf, isToolLabel, splitToolId } from '../../../../src-shared/domain/labels.ts';
import type { FailureCause } from '../../../../src-shared/domain/outcome.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { fixLink } from '../result/fixLink.ts';
import classes from './case.module.css';

/** More advice than this is noise. */
const maxAdvice = 2;

interface AdvicePanelProps {
  evaluationId: string;
  detail: RunDetail;
  cause: FailureCause | null;
}

/** What to change, and the way to the tool's definition. */
export function AdvicePanel({ evaluationId, detail, cause }: AdvicePanelProps) {
  const advice = (detail.score?.recommendations ?? []).slice(0, maxAdvice);
  const tool =
    cause === null
      ? undefined
      : (advice.find(({ toolId }) => toolId !== null)?.toolId ??
        [cause.expected, cause.called].find((label) => isToolLabel(label) && !isAnyOf(label)));
  if (advice.length === 0 && tool === undefined) return null;
  return (
    <section className={classes.panel} aria-label="Advice">
      <div className={classes.head}>
        <h2 className={classes.title}>Advice</h2>
      </div>
      <div className={classes.advice}>
        {advice.map(({ message }) => (
          <p key={message}>
            <Foreign text={message} limit={1000} />
          </p>
        ))}
        {advice.length === 0 && <p>Change the definition and try it on this request.</p>}
        {tool !== undefined && (
          <Button
            component={Link}
            to={fixLink(evaluationId, tool)}
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
