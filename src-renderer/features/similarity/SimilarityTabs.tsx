import { Tabs } from '@mantine/core';
import { useNavigate } from 'react-router';

const pages = [
  { value: 'similarity', label: 'Similarity', to: '/similarity' },
  { value: 'quality', label: 'Tool quality', to: '/similarity/quality' },
  { value: 'rewrites', label: 'Rewrites', to: '/similarity/rewrites' },
];

/** Tabs of the three screens about descriptions. */
export function SimilarityTabs({ value }: { value: string }) {
  const navigate = useNavigate();
  return (
    <Tabs
      value={value}
      onChange={(next) =>
        void navigate(pages.find((page) => page.value === next)?.to ?? '/similarity')
      }
      mb="md"
    >
      <Tabs.List aria-label="How tools read">
        {pages.map((page) => (
          <Tabs.Tab key={page.value} value={page.value}>
            {page.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
