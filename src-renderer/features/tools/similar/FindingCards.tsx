import { IconAlertTriangle, IconArchive } from '@tabler/icons-react';
import { useState } from 'react';
import { Action } from '../../../ui/fields/Action.tsx';
import type { SimilarityAnalysis } from '../../../../src-shared/domain/similarity.ts';
import { findingTexts } from '../../../../src-shared/display/similarityTexts.ts';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import type { ChosenPair } from './chosenPair.ts';
import classes from './similarity.module.css';

interface FindingCardsProps {
  analysis: SimilarityAnalysis;
  selected: ChosenPair | null;
  onOpen: (pair: ChosenPair) => void;
}

const maxShown = 4;

/** Tools that share a name or a purpose: no wording can separate them. */
export function FindingCards({ analysis, selected, onOpen }: FindingCardsProps) {
  const [all, setAll] = useState(false);
  const { findings, tools } = analysis;
  if (findings.length === 0) return null;
  const shown = all ? findings : findings.slice(0, maxShown);
  return (
    <section aria-label="Findings" className={classes.findings}>
      {shown.map((finding) => {
        const { name, title, detail } = findingTexts(finding, tools);
        const [a = 0, b = 0] = finding.tools.slice(0, 2).sort((x, y) => x - y);
        const isOpen = selected?.a === a && selected.b === b;
        const Icon = finding.kind === 'same_name' ? IconAlertTriangle : IconArchive;
        return (
          <article key={`${finding.kind} ${finding.tools.join(' ')}`} className={classes.finding}>
            <Icon size={18} stroke={1.6} aria-hidden />
            <div>
              <h3>
                <code>
                  <PlainText text={name} />
                </code>{' '}
                {title}
              </h3>
              <p>
                <PlainText text={detail} />
              </p>
            </div>
            <Action
              label="Show fix"
              size="xs"
              aria-pressed={isOpen}
              onClick={() => onOpen({ a, b })}
            />
          </article>
        );
      })}
      {findings.length > maxShown && (
        <Action
          label={all ? 'Show fewer findings' : `Show all ${counted(findings.length, 'finding')}`}
          className={classes.moreFindings}
          variant="subtle"
          small
          onClick={() => setAll(!all)}
        />
      )}
    </section>
  );
}
