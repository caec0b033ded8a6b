import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import { splitToolId } from '../../../../../src-shared/domain/labels.ts';
import { Fold } from '../../../../ui/panels/Fold.tsx';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { TextParts } from '../../../../ui/text/PlainText.tsx';
import { firstCharacters } from '../../../../ui/text/visibleText.ts';
import { counted } from '../../../../../src-shared/display/numbers.ts';
import classes from './case.module.css';
import { OfferedTools } from './OfferedTools.tsx';
import { TitledPanel } from '../../../../ui/panels/TitledPanel.tsx';

/** As much of a text as one line can show. */
const previewLength = 200;

/** What the model was sent: the query, and folded below it everything else. */
export function RequestPanel(props: { evaluationId: string; detail: RunDetail }) {
  const { evaluationId, detail } = props;
  const { system, messages, offered } = detail;
  return (
    <TitledPanel label="Request">
      <div className={classes.request}>
        <h2 className={classes.label}>Request</h2>
        <blockquote tabIndex={0}>
          <Foreign text={detail.case.query} />
        </blockquote>
      </div>
      {system !== null && system !== '' && (
        <Fold
          title="System prompt"
          hint={<TextParts text={firstCharacters(system, previewLength)} />}
        >
          <Foreign block text={system} />
        </Fold>
      )}
      {messages.length > 0 && (
        <Fold
          title="Prior messages"
          hint={
            <>
              {counted(messages.length, 'message')}:{' '}
              <TextParts text={firstCharacters(messages.at(-1)?.content ?? '', previewLength)} />
            </>
          }
        >
          <ol className={classes.messages}>
            {messages.map(({ role, content }, index) => (
              <li key={index}>
                <span className={classes.label}>{role === 'user' ? 'User' : 'Assistant'}</span>
                <Foreign block text={content} limit={2000} />
              </li>
            ))}
          </ol>
        </Fold>
      )}
      <Fold title="Tools offered" hint={<TextParts text={toolsText(offered)} />}>
        <OfferedTools evaluationId={evaluationId} detail={detail} />
      </Fold>
    </TitledPanel>
  );
}

/** How many tools from which servers: `5 tools from todo`. */
function toolsText(offered: readonly string[]): string {
  if (offered.length === 0) return 'None';
  const servers = [...new Set(offered.map((id) => splitToolId(id).server))];
  const from = servers.length > 3 ? counted(servers.length, 'server') : servers.join(', ');
  return `${counted(offered.length, 'tool')} from ${from}`;
}
