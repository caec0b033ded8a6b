import { Text } from '@mantine/core';
import {
  isSentOtherwise,
  sentToolsRows,
  sentToolsText,
  unreadableText,
} from '../../../src-shared/display/sentToolsTexts.ts';
import type { SentTools, SentToolsOfModel } from '../../../src-shared/domain/sentTools.ts';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { counted } from '../../ui/text/words.ts';
import classes from './evaluations.module.css';

/** More rows would not be read; reports and `--json` have all of them. */
const maxShown = 50;

/**
 * What a model is sent otherwise than servers said, with each tool and the reason, and which tools
 * have keywords that can't be read. Nothing if all is sent as published and can be read.
 */
export function SentToolsList({ sent, label }: { sent: SentTools; label?: string }) {
  const rows = sentToolsRows(sent);
  const unreadable = unreadableText(sent);
  return (
    <>
      {isSentOtherwise(sent) && (
        <details>
          <summary>
            <Text span size="xs">
              {label !== undefined && (
                <>
                  <Foreign text={label} limit={120} />:{' '}
                </>
              )}
              {sentToolsText(sent)}
            </Text>
          </summary>
          <ul className={classes.problems}>
            {rows.slice(0, maxShown).map(({ tool, what, why }) => (
              <li key={`${tool} ${what}`}>
                <Foreign text={tool} limit={200} />: {what} (<Foreign text={why} limit={600} />)
              </li>
            ))}
            {rows.length > maxShown && <li>{counted(rows.length - maxShown, 'more change')}</li>}
          </ul>
        </details>
      )}
      {unreadable !== null && (
        <Text size="xs">
          <Foreign text={unreadable} limit={1_000} />
        </Text>
      )}
    </>
  );
}

/** The same of every model of an evaluation. What can't be read is the same for all of them. */
export const SentToolsOfModels = ({ accounts }: { accounts: readonly SentToolsOfModel[] }) => (
  <>
    {accounts.map((account, index) => (
      <SentToolsList
        key={account.modelSettingsId}
        sent={index === 0 ? account : { ...account, unreadable: [] }}
        {...(accounts.length > 1 && { label: account.label })}
      />
    ))}
  </>
);
