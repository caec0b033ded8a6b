import type { LintReport } from '../../../../src-shared/domain/lint.ts';
import { formatDecimal } from '../../../../src-shared/display/numbers.ts';
import { needsWork } from '../../../../src-shared/display/qualityTexts.ts';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { counted } from '../../../ui/text/words.ts';
import type { ToolRow } from './toolRows.ts';
import classes from './quality.module.css';

interface ServerScoresProps {
  servers: LintReport['servers'];
  rows: readonly ToolRow[];
  chosen: string | null;
  onChoose: (server: string | null) => void;
}

/** One card per server with the mean score of its tools, the lowest first. A card filters the list. */
export function ServerScores({ servers, rows, chosen, onChoose }: ServerScoresProps) {
  return (
    <ul className={classes.cards} aria-label="Score per server">
      {servers
        .toSorted((a, b) => a.score - b.score || a.server.localeCompare(b.server))
        .map(({ server, score, tools }) => {
          const worse = rows.filter((row) => row.server === server && needsWork(row)).length;
          return (
            <li key={server}>
              <button
                type="button"
                className={classes.card}
                aria-pressed={chosen === server}
                onClick={() => {
                  onChoose(chosen === server ? null : server);
                }}
              >
                <span className={classes.cardName}>
                  <PlainText text={server} />
                </span>
                <span>
                  <b className={classes.cardScore}>{formatDecimal(score, 1)}</b>{' '}
                  <span className={classes.quiet}>of 10 on average</span>
                </span>
                <span className={classes.quiet}>
                  {worse === 0
                    ? counted(tools, 'tool')
                    : `${worse} of ${counted(tools, 'tool')} ${worse === 1 ? 'needs' : 'need'} work`}
                </span>
              </button>
            </li>
          );
        })}
    </ul>
  );
}
