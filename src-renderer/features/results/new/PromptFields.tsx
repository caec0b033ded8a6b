import { NumberInput, SegmentedControl, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { ArgumentsModeField } from '../../../ui/fields/ArgumentsModeField.tsx';
import classes from '../evaluations.module.css';
import { type EvaluationForm, hasAgent, numberField } from './evaluationForm.ts';
import { PresentAsFields } from '../../../models/PresentAsField.tsx';
import { options, ticked, typed, whole } from '../../../ui/fields/controls.tsx';

interface PromptFieldsProps {
  form: EvaluationForm;
  /** Tasks have no order to shuffle and limits of their own. */
  entries: EvaluationForm['entries'];
  faults: ReadonlyMap<string, string>;
  onSet: (part: Partial<EvaluationForm>) => void;
}

/**
 * What every model sees besides query and tools, in which order, and when a run stops. All of it is
 * recorded.
 */
export function PromptFields({ form, entries, faults, onSet }: PromptFieldsProps) {
  const number = numberField(form, faults, onSet);
  return (
    <div className={classes.stack}>
      <div>
        <Text size="sm" fw={500} id="prompt-label">
          System prompt
        </Text>
        <SegmentedControl
          aria-labelledby="prompt-label"
          data={options({ suite: 'From the suite', own: 'Custom' })}
          value={form.systemPrompt === null ? 'suite' : 'own'}
          onChange={(value) => onSet({ systemPrompt: value === 'own' ? '' : null })}
        />
        {form.systemPrompt !== null && (
          <Textarea
            mt="xs"
            aria-label="System prompt of this evaluation"
            minRows={2}
            maxRows={8}
            maxLength={100_000}
            {...typed(form.systemPrompt, (systemPrompt) => onSet({ systemPrompt }))}
            error={faults.get('systemPrompt')}
          />
        )}
      </div>
      <Switch
        label="Server instructions"
        description="Adds the servers’ instructions to the system prompt."
        {...ticked(form.serverInstructions, (serverInstructions) => onSet({ serverInstructions }))}
      />
      <PresentAsFields
        value={form.clients}
        byAgent={hasAgent(form)}
        onChange={(clients) => onSet({ clients })}
      />
      {entries === 'cases' && (
        <>
          <ArgumentsModeField
            value={form.argumentsMode}
            onChange={(argumentsMode) => {
              if (argumentsMode !== null) onSet({ argumentsMode });
            }}
          />
          <Switch
            label="Shuffle tools in each repetition"
            description="Models favor certain positions in a list. All models get the same orders, from the seed."
            {...ticked(form.toolOrder === 'shuffled', (isOn) =>
              onSet({ toolOrder: isOn ? 'shuffled' : 'listed' }),
            )}
          />
          <Switch
            label="Shuffle cases"
            description="Uses the seed. If the evaluation stops early, it has still covered the whole suite evenly."
            {...ticked(form.caseOrder === 'shuffled', (isOn) =>
              onSet({ caseOrder: isOn ? 'shuffled' : 'suite' }),
            )}
          />
        </>
      )}
      <div className={classes.numbers}>
        {entries === 'cases' && (
          <>
            <NumberInput
              label="Seed"
              description="For shuffling"
              {...whole(0, 4_294_967_295)}
              {...number('seed')}
            />
            <NumberInput
              label="Max turns"
              description="Above 1, stub results answer calls"
              {...whole(1, 20)}
              {...number('maxTurns')}
            />
          </>
        )}
        <NumberInput
          label="Spend limit"
          description="In US dollars, needs prices"
          placeholder="None"
          min={0}
          prefix="$"
          {...number('spendLimitUsd')}
        />
      </div>
      <TextInput
        label="Record to a file"
        description="Path of a file. Every exchange is appended, so that you can replay the evaluation without the model."
        placeholder="None"
        {...typed(form.recordFile, (recordFile) => onSet({ recordFile }))}
        error={faults.get('recordFile')}
      />
    </div>
  );
}
