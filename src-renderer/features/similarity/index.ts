import { type ComponentType, createElement } from 'react';
import type { RouteObject } from 'react-router';
import { lazyPage } from '../../ui/frame/lazyPage.ts';

interface Parts {
  /** Leads from a tool to the failures that it causes. */
  FixFailures: ComponentType<{ tool: string }>;
}

export const similarityRoutes = ({ FixFailures }: Parts): RouteObject[] => [
  {
    path: 'tools/similar',
    ...lazyPage(async () => (await import('./SimilarityPage.tsx')).SimilarityPage),
  },
  {
    path: 'tools/quality',
    ...lazyPage(async () => {
      const { QualityPage } = await import('./quality/QualityPage.tsx');
      return () => createElement(QualityPage, { FixFailures });
    }),
  },
];
