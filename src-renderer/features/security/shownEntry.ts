import type { CorpusEntry } from '../../../src-shared/domain/security.ts';

export type ShownEntry = CorpusEntry & { half: 'development' | 'held-out' };
