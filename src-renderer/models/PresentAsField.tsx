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
  /** Whether an agent is under test, which leaves nothing to choose. */
  byAgent?: boolean;
  onChange: (value: PresentedAs | null) => void;
}

const ofAgent = 'An agent presents tools to its model itself.';
const asAgent = 'As the agent does';

/** The client as which tools are shown to models. */
export const PresentAsField = (props: PresentAsFieldProps) => {
  const { value, unset = otherwise, byAgent = false, onChange } = props;
  return (
    <Select
      {...choice}
      description={byAgent ? ofAgent : about}
      placeholder={byAgent ? asAgent : unset}
      value={byAgent ? null : value}
      disabled={byAgent}
      onChange={onChange}
    />
  );
};

interface PresentAsFieldsProps {
  value: PresentedAs[];
  byAgent: boolean;
  onChange: (value: PresentedAs[]) => void;
}

/** Several clients, each in an evaluation of its own. */
export const PresentAsFields = ({ value, byAgent, onChange }: PresentAsFieldsProps) => (
  <MultiSelect
    {...choice}
    description={
      byAgent
        ? ofAgent
        : `${about} Several run one after the other and are compared with the first.`
    }
    placeholder={byAgent ? asAgent : value.length === 0 ? otherwise : ''}
    value={byAgent ? [] : value}
    disabled={byAgent}
    onChange={onChange}
  />
);
