import { Text } from '@mantine/core';
import type { CaseProblem } from '../../../src-shared/contract/suites.ts';
import type { CaseOrigin } from '../../../src-shared/domain/testCase.ts';
import { Notice } from '../../ui/notices/Notice.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';

interface CaseNotesProps {
  problems: readonly CaseProblem[];
  origin: CaseOrigin | null;
}

/** Problems of a case, and its origin. */
export function CaseNotes({ problems, origin }: CaseNotesProps) {
  return (
    <>
      {problems.length > 0 && (
        <div style={{ marginBottom: 16 }}>
          <Notice tone="warning">
            <ul className="ts-rows" aria-label="Problems">
              {problems.map(({ message, field }, index) => (
                <li key={`${field} ${index}`} style={{ border: 'none' }}>
                  <PlainText text={message} />
                </li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
      {origin !== null && (
        <Text size="sm" c="dimmed" mb="md" className="ts-foreign">
          <PlainText text={originWords(origin)} />
        </Text>
      )}
    </>
  );
}

function originWords(origin: CaseOrigin): string {
  if (origin.kind === 'proposal')
    return (
      `Proposed for ${origin.basis} by ` +
      `${origin.madeBy === 'template' ? 'a template' : origin.madeBy}. ` +
      `A person ${origin.edited ? 'edited and accepted' : 'accepted'} it.`
    );
  const nearly =
    origin.approximated.length === 0
      ? 'Nothing was approximated.'
      : `Approximated: ${origin.approximated.join('; ')}.`;
  const id = origin.sourceId === null ? '' : `case ${origin.sourceId}, `;
  return (
    `Imported from ${origin.format} (${id}${origin.converter}, source hash ` +
    `${origin.sourceHash.slice(0, 12)}…). ${nearly}`
  );
}
