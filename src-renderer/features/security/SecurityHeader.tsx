import { noSignalsNote } from '../../../src-shared/display/signalTexts.ts';
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';

const parts = [
  {
    value: 'signals',
    label: 'Signals',
    to: '/security',
    subtitle: `Patterns in tools and server instructions that look like attacks. ${noSignalsNote}`,
  },
  {
    value: 'detectors',
    label: 'Detectors',
    to: '/security/detectors',
    subtitle:
      'How many attacks each detector finds and how many false alarms it raises, on a labeled corpus.',
  },
  {
    value: 'corpora',
    label: 'Corpora',
    to: '/security/corpora',
    subtitle: 'Labeled tool descriptions that detectors are scored on.',
  },
] as const;

/**
 * The shared header of the three parts of the security lab. The address decides which one is open.
 */
export function SecurityHeader({
  part,
  actions,
}: {
  part: (typeof parts)[number]['value'];
  actions?: ReactNode;
}) {
  const navigate = useNavigate();
  const open = parts.find(({ value }) => value === part) ?? parts[0];
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Security', to: '/security' }, { label: open.label }]}
        title="Security"
        subtitle={open.subtitle}
        actions={actions}
      />
      <Tabs
        value={part}
        mb="lg"
        keepMounted={false}
        onChange={(value) => {
          const next = parts.find((each) => each.value === value);
          if (next) void navigate(next.to);
        }}
      >
        <Tabs.List aria-label="Security">
          {parts.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {parts.map(({ value }) => (
          <Tabs.Panel key={value} value={value}>
            <span />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
