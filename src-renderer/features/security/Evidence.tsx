import { counted } from '../../../src-shared/display/numbers.ts';
import { Text } from '@mantine/core';
import { IconRobot, IconUser } from '@tabler/icons-react';
import type { ScannedTool, ToolFinding } from '../../../src-shared/domain/security.ts';
import { replaceInvisible } from '../../../src-shared/display/visibleText.ts';
import { textAt } from '../../../src-shared/domain/jsonPointer.ts';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { MarkedText } from '../../ui/text/MarkedText.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import classes from './security.module.css';

/**
 * One finding in its text. If invisible characters make the two differ, what a person sees comes
 * before what the model reads.
 */
export function Evidence({ scanned, finding }: { scanned: ScannedTool; finding: ToolFinding }) {
  const whole = textAt(scanned.definition, finding.place);
  const text = whole ?? finding.text;
  const seen = replaceInvisible(text, () => '');
  const invisible = Array.from(text).length - Array.from(seen).length;
  return (
    <div className={classes.evidence}>
      <Text size="sm">
        <Foreign text={finding.why} limit={1000} />
      </Text>
      {invisible > 0 && (
        <>
          <div className={classes.reader}>
            <IconUser size={14} aria-hidden /> What a person sees
          </div>
          <div className={classes.box}>
            <Foreign text={seen} limit={1200} />
          </div>
        </>
      )}
      <div className={classes.reader}>
        <IconRobot size={14} aria-hidden /> What the model reads
        {invisible > 0 && (
          <span className={classes.chip}>{counted(invisible, 'invisible character')}</span>
        )}
      </div>
      <MarkedText text={text} span={whole === null ? [0, text.length] : finding.span} />
      <div className={classes.place}>
        {finding.source !== undefined && (
          <>
            <PlainText text={finding.source.file} />, line {finding.source.line} ·{' '}
          </>
        )}
        <PlainText text={finding.place} />, characters {finding.span[0]}–{finding.span[1]} · rule{' '}
        <PlainText text={finding.rule} />
      </div>
    </div>
  );
}
