import {
  agreementText,
  judgeCostText,
  judgeStandingText,
  unusableText,
} from '../../../../../src-shared/display/judgeTexts.ts';
import type { JudgeAgreement } from '../../../../../src-shared/domain/taskReport.ts';
import { Notice } from '../../../../ui/notices/Notice.tsx';
import { PlainText } from '../../../../ui/text/PlainText.tsx';

/** Who judged, how often people agreed with it, and whether its verdicts count. */
export function JudgeNotice({ agreement }: { agreement: JudgeAgreement }) {
  return (
    <Notice>
      Judge <PlainText text={agreement.judge} />: {agreementText(agreement)}{' '}
      {judgeStandingText(agreement)}
      {unusableText(agreement)}
      {judgeCostText(agreement)} To label a run, open it and choose Yes or No at its judge check.
    </Notice>
  );
}
