import { Input, MultiSelect, SegmentedControl, Select } from '@mantine/core';
import { suiteSize } from '../../../../src-shared/display/suiteTexts.ts';
import type { Suite } from '../../../../src-shared/domain/testCase.ts';
import { useRead } from '../../../api/index.ts';
import { visibleText } from '../../../ui/text/Foreign.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import classes from '../evaluations.module.css';
import type { EvaluationForm } from './evaluationForm.ts';
import { options } from '../../../ui/fields/controls.tsx';

interface SuiteFieldsProps {
  suites: readonly Suite[];
  form: EvaluationForm;
  entries: EvaluationForm['entries'];
  onSet: (part: Partial<EvaluationForm>) => void;
}

/** Which suite runs, what of it, and which servers offer their tools. */
export function SuiteFields({ suites, form, entries, onSet }: SuiteFieldsProps) {
  const servers = useRead((ask) => ask.servers.list);
  const suite = suites.find(({ id }) => id === form.suiteId);
  const entry = entries === 'tasks' ? 'task' : 'case';
  return (
    <div className={classes.stack}>
      <Select
        label="Suite"
        placeholder="Choose a suite"
        data={suites.map((one) => ({
          value: one.id,
          label: visibleText(`${one.name} (${suiteSize(one)})`),
        }))}
        value={form.suiteId}
        searchable
        maw={460}
        onChange={(suiteId) => onSet({ suiteId })}
      />
      {suite !== undefined && suite.taskCount > 0 && suite.caseCount > 0 && (
        <Input.Wrapper
          label="Run"
          labelElement="div"
          description={
            entries === 'tasks'
              ? 'The model works on each task in several steps, and checks decide whether it succeeded.'
              : 'The model says which tool it would call. Nothing is executed.'
          }
          inputWrapperOrder={['label', 'input', 'description']}
        >
          <div>
            <SegmentedControl
              aria-label="What to run"
              data={options({
                cases: counted(suite.caseCount, 'case'),
                tasks: counted(suite.taskCount, 'task'),
              })}
              value={entries}
              onChange={(chosen) => onSet({ entries: chosen })}
            />
          </div>
        </Input.Wrapper>
      )}
      <Input.Wrapper label="Tools offered to the model" labelElement="div">
        <div>
          <SegmentedControl
            aria-label="Tools offered to the model"
            data={options({
              cases: `Those of each ${entry}’s servers`,
              own: `Those of chosen servers`,
            })}
            value={form.servers === null ? 'cases' : 'own'}
            onChange={(value) => onSet({ servers: value === 'own' ? [] : null })}
          />
        </div>
        {form.servers !== null && (
          <MultiSelect
            mt="sm"
            maw={460}
            label="Servers"
            placeholder={form.servers.length === 0 ? 'Choose servers' : ''}
            data={(servers.data ?? []).map(({ name }) => ({
              value: name,
              label: visibleText(name),
            }))}
            value={form.servers}
            error={
              servers.error === null
                ? undefined
                : 'The servers couldn’t be loaded. Reload the page.'
            }
            searchable
            clearable
            onChange={(chosen) => onSet({ servers: chosen })}
          />
        )}
      </Input.Wrapper>
    </div>
  );
}
