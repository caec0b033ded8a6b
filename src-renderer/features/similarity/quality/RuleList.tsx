import { Button, Checkbox } from '@mantine/core';
import type { LintRuleInfo } from '../../../../src-shared/domain/lint.ts';
import { qualityTitle } from '../../../../src-shared/display/qualityTexts.ts';
import { SeverityBadge } from '../../../ui/badges/SeverityBadge.tsx';
import { Fold } from '../../../ui/panels/Fold.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from './quality.module.css';

interface RuleListProps {
  rules: readonly LintRuleInfo[];
  /** Ids of the rules that are turned off. */
  off: readonly string[];
  onOff: (off: readonly string[]) => void;
}

/** What each rule looks for, with examples and a way to turn it off. */
export function RuleList({ rules, off, onOff }: RuleListProps) {
  return (
    <Fold
      title={`All rules (${rules.length})`}
      hint={
        off.length === 0
          ? 'What each rule finds, with examples'
          : `${counted(off.length, 'rule')} turned off`
      }
    >
      {off.length > 0 && (
        <Button
          variant="default"
          size="compact-sm"
          mb="sm"
          onClick={() => {
            onOff([]);
          }}
        >
          Turn all rules on
        </Button>
      )}
      <ul className={classes.rules}>
        {rules.map(({ id, severity, what, fix, bad, good }) => (
          <li key={id}>
            <Checkbox
              size="xs"
              checked={!off.includes(id)}
              onChange={() => {
                onOff(off.includes(id) ? off.filter((each) => each !== id) : [...off, id]);
              }}
              label={qualityTitle(id)}
            />
            <p className={classes.quiet}>
              <SeverityBadge severity={severity} /> · <span className="ts-mono">{id}</span>
            </p>
            <p>{what}</p>
            <p>{`Fix: ${fix}`}</p>
            <p className={classes.quiet}>
              Bad: <Foreign text={bad} limit={160} />
            </p>
            <p className={classes.quiet}>
              Good: <Foreign text={good} limit={160} />
            </p>
          </li>
        ))}
      </ul>
    </Fold>
  );
}
