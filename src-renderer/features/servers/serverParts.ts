import type { ComponentType } from 'react';

/** Tabs of a server's page that other features draw. Each works on the stored listing. */
export interface ServerParts {
  Quality: ComponentType<{ server: string }>;
  SimilarTools: ComponentType<{ server: string }>;
  Tokens: ComponentType<{ server: string }>;
  Signals: ComponentType<{ serverId: string; onCheck: () => void; checking: boolean }>;
  Cases: ComponentType<{ server: string; tools: readonly string[] }>;
}
