import { IconCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { toolAddress } from '../../../../src-shared/display/toolAddresses.ts';
import type {
  ToolFindingKind,
  ToolPage,
  ToolPageFinding,
} from '../../../../src-shared/domain/toolPage.ts';
import { SeverityIcon } from '../../../ui/badges/SeverityBadge.tsx';
import { Fold, TitledPanel } from '../../../ui/panels/panels.tsx';
import { CopyButton } from '../../../ui/text/CopyButton.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { editOf } from './describe.ts';
import classes from './tool.module.css';

const kinds: Record<ToolFindingKind, string> = {
  clients: 'Clients',
  signals: 'Signals',
  requests: 'Failing requests',
  quality: 'Quality',
  similar: 'Similar',
  tokens: 'Tokens',
};

/** More than a person fixes at once; the others are one click away. */
const maxShown = 10;

/** The findings as Markdown, to paste into an issue. */
const findingsText = ({ toolId, findings }: ToolPage): string =>
  [
    toolId,
    '',
    ...findings.map(({ title, why, fix, edit }) =>
      ['-', `${title}.`, why, edit === null ? fix : `“${edit.text}”`]
        .filter((text) => text !== '')
        .join(' '),
    ),
  ].join('\n');

/** Everything that is wrong with the tool, worst first, each with what to do about it. */
export function Findings({ page }: { page: ToolPage }) {
  const { findings, problems, proven } = page;
  const inFix = findings.filter((one) => one.inFix).length;
  const [shown, more] = [findings.slice(0, maxShown), findings.slice(maxShown)];
  return (
    <TitledPanel
      title={
        findings.length === 0
          ? 'No findings'
          : `${counted(findings.length, 'finding')}, worst first`
      }
      label="Findings"
      aside={
        <>
          {proven !== null && inFix > 0 && (
            <span className={classes.quiet}>The proven fix resolves {inFix}</span>
          )}
          {findings.length > 0 && (
            <CopyButton text={() => findingsText(page)} label="Copy findings" />
          )}
        </>
      }
    >
      {findings.length === 0 && problems.length === 0 && (
        <p className={classes.body}>
          No client that changes it, no signal, no failing request, no rule of quality, no similar
          tool, and no cut of tokens.
        </p>
      )}
      {problems.map(({ kind, reason }) => (
        <p key={kind} className={`${classes.body ?? ''} ${classes.warning ?? ''}`}>
          {kinds[kind]}: not examined. <Foreign text={reason} limit={300} />
        </p>
      ))}
      <ul className={classes.findings}>
        {shown.map((one) => (
          <Finding key={`${one.kind} ${one.rule}`} finding={one} page={page} />
        ))}
      </ul>
      {more.length > 0 && (
        <div className={classes.body}>
          <Fold title={counted(more.length, 'more finding')}>
            <ul className={classes.findings}>
              {more.map((one) => (
                <Finding key={`${one.kind} ${one.rule}`} finding={one} page={page} />
              ))}
            </ul>
          </Fold>
        </div>
      )}
    </TitledPanel>
  );
}

function Finding({ finding, page }: { finding: ToolPageFinding; page: ToolPage }) {
  const { kind, severity, title, why, fix, other, points, failed } = finding;
  return (
    <li>
      <span className={classes.severity}>
        <SeverityIcon severity={severity} size={16} />
      </span>
      <div>
        <h3>
          <PlainText text={title} />{' '}
          <span className={classes.kind}>
            {severity} · {kind === 'similar' && failed > 0 ? 'Results' : kinds[kind]}
            {points > 0 && ` −${counted(points, 'point')}`}
          </span>
        </h3>
        <p className={classes.quiet}>
          <Foreign text={[why, fix].filter((text) => text !== '').join(' ')} limit={500} />{' '}
          {other !== null && (
            <Link to={toolAddress(other)}>
              Open <PlainText text={other} />
            </Link>
          )}
        </p>
      </div>
      {finding.inFix ? (
        <span className={classes.inFix}>
          <IconCheck size={13} stroke={2.6} aria-hidden /> in the fix
        </span>
      ) : (
        <Resolve finding={finding} page={page} />
      )}
    </li>
  );
}

/** Where the finding is resolved: signals are judged, everything else is edited. */
function Resolve(props: { finding: ToolPageFinding; page: ToolPage }) {
  const {
    finding: { kind, title, edit },
    page,
  } = props;
  if (kind === 'signals')
    return (
      <Link
        to={`/tools/signals?${new URLSearchParams({ server: page.tool.server }).toString()}`}
        aria-label={`Review ${title}`}
      >
        Review
      </Link>
    );
  return (
    <Link
      to={editOf(page, edit !== null && { path: edit.path, text: edit.text, source: 'rule' })}
      aria-label={`${edit === null ? 'Edit' : 'Use text'}: ${title}`}
    >
      {edit === null ? 'Edit' : 'Use text'}
    </Link>
  );
}
