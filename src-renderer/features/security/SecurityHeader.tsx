import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';

const parts = [
  {
    value: 'detectors',
    label: 'Detectors',
    crumbs: [{ label: 'Labs', to: '/labs/retrieval' }],
    subtitle: 'Attacks found and honest texts flagged on a labeled corpus.',
  },
  {
    value: 'corpora',
    label: 'Corpora',
    crumbs: [
      { label: 'Labs', to: '/labs/retrieval' },
      { label: 'Detectors', to: '/labs/detectors' },
    ],
    subtitle: 'Labeled tool descriptions for scoring detectors.',
  },
] as const;

export function SecurityHeader(props: {
  part: (typeof parts)[number]['value'];
  actions?: ReactNode;
}) {
  const { part, actions } = props;
  const open = parts.find(({ value }) => value === part) ?? parts[0];
  return (
    <PageHeader
      crumbs={[...open.crumbs, { label: open.label }]}
      title={open.label}
      subtitle={
        part === 'detectors' ? (
          <>
            {open.subtitle}{' '}
            <Anchor component={Link} to="/labs/detectors/corpora" inherit>
              All corpora
            </Anchor>
          </>
        ) : (
          open.subtitle
        )
      }
      actions={actions}
    />
  );
}
