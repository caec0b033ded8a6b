import { needsWork } from '../../../../src-shared/display/qualityTexts.ts';
import { counted } from '../../../ui/text/words.ts';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { DeductionList } from './DeductionList.tsx';
import type { ToolRow } from './toolRows.ts';
import classes from './quality.module.css';

interface ToolFindingsProps {
  row: ToolRow;
  opened: boolean;
  onOpen: () => void;
}

/** One tool of the list: its score, and each deduction with its fix. */
export function ToolFindings({ row, opened, onOpen }: ToolFindingsProps) {
  const { name, server, score, deductions } = row;
  return (
    <li className={classes.tool} data-open={opened}>
      <div className={classes.toolHead}>
        <ScoreMark score={score} />
        <h3>
          <button type="button" aria-expanded={opened} onClick={onOpen}>
            <PlainText text={name} />
          </button>
        </h3>
        <span className={classes.quiet}>
          <PlainText text={server} />
        </span>
        <span className={classes.toolCount}>
          {deductions.length === 0 ? 'No findings' : counted(deductions.length, 'fix', 'fixes')}
        </span>
      </div>
      {deductions.length > 0 && <DeductionList row={row} />}
    </li>
  );
}

/** The score of a tool; a tool that needs work stands out. */
function ScoreMark({ score }: { score: number }) {
  return (
    <span className={classes.score} data-poor={needsWork({ score })}>
      {score}
      <span className="ts-visually-hidden"> of 10</span>
    </span>
  );
}
