import { MultiSelect, Select } from '@mantine/core';
import { clientNames } from '../../src-shared/display/clientTexts.ts';
import { presentedAs, type PresentedAs } from '../../src-shared/domain/clientFacts.ts';

const otherwise = 'No client: as providers take them';
const choice = {
  label: 'Present tools as',
  clearable: true,
  data: presentedAs.options.map((one) => ({
    value: one,
    label: one === 'generic' ? otherwise : clientNames[one],
  })),
};
const about = 'With the names, texts and order of a client. Tools that it hides aren’t offered.';

interface PresentAsFieldProps {
  value: PresentedAs | null;
  /** What no choice means. */
  unset?: string;
  onChange: (value: PresentedAs | null) => void;
}

/** The client as which tools are shown to models. */
export const PresentAsField = ({ unset = otherwise, ...field }: PresentAsFieldProps) => (
  <Select {...choice} description={about} placeholder={unset} {...field} />
);

interface PresentAsFieldsProps {
  value: PresentedAs[];
  /** Whether an agent is under test, which leaves nothing to choose. */
  byAgent: boolean;
  onChange: (value: PresentedAs[]) => void;
}

/** Several clients, each in an evaluation of its own. */
export const PresentAsFields = ({ value, byAgent, onChange }: PresentAsFieldsProps) => (
  <MultiSelect
    {...choice}
    description={
      byAgent
        ? 'An agent presents tools to its model itself.'
        : `${about} Several run one after the other and are compared with the first.`
    }
    placeholder={byAgent ? 'As the agent does' : value.length === 0 ? otherwise : ''}
    value={byAgent ? [] : value}
    disabled={byAgent}
    onChange={onChange}
  />
);
