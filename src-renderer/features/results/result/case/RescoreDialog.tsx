import { NumberInput, Radio } from '@mantine/core';
import { useState } from 'react';
import type { ArgumentsMode } from '../../../../../src-shared/domain/testCase.ts';
import { ArgumentsModeField } from '../../../../ui/fields/ArgumentsModeField.tsx';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { ConfirmDialog } from '../../../../ui/panels/ConfirmDialog.tsx';

export interface RescoreChoice {
  highConfidence: number;
  argumentsMode: ArgumentsMode;
  expectations: 'frozen' | 'suite';
}

interface RescoreDialogProps {
  evaluation: Evaluation;
  onClose: () => void;
  onRescore: (choice: RescoreChoice) => void;
}

/** Chooses the threshold, the mode, and the expectations for scoring stored replies again. */
export function RescoreDialog({ evaluation, onClose, onRescore }: RescoreDialogProps) {
  const [high, setHigh] = useState<number | string>(evaluation.settings.highConfidence);
  const [expectations, setExpectations] = useState<RescoreChoice['expectations']>('frozen');
  const [mode, setMode] = useState(evaluation.settings.argumentsMode);
  const threshold = Number(high);
  const good = high !== '' && threshold >= 0 && threshold <= 1;
  const fromFile = evaluation.settings.suiteId === null;
  return (
    <ConfirmDialog
      title={`Re-score #${evaluation.number}`}
      confirm="Re-score"
      disabled={!good}
      onConfirm={() => onRescore({ highConfidence: threshold, argumentsMode: mode, expectations })}
      onClose={onClose}
    >
      <p className="ts-quiet">
        Scores the stored answers again without calling a model. Each case keeps its current scores
        as earlier scores.
      </p>
      <Radio.Group
        label="Expectations"
        value={expectations}
        onChange={(value) => setExpectations(value === 'suite' ? 'suite' : 'frozen')}
      >
        <Radio mt="xs" value="frozen" label="From the evaluation" />
        <Radio
          mt="xs"
          value="suite"
          disabled={fromFile}
          label="From the suite today, for cases with the same query"
          {...(fromFile
            ? { description: 'Its suite is a file. Import the file as a suite, and run that.' }
            : {})}
        />
      </Radio.Group>
      <NumberInput
        label="High confidence from"
        min={0}
        max={1}
        step={0.05}
        decimalScale={3}
        value={high}
        onChange={setHigh}
        error={good ? undefined : 'Enter a number from 0 to 1.'}
      />
      <ArgumentsModeField
        value={mode}
        onChange={(chosen) => {
          if (chosen !== null) setMode(chosen);
        }}
      />
    </ConfirmDialog>
  );
}
