import type { CorpusEntry } from '../../../src-shared/domain/security.ts';

/** An entry with the half that it belongs to. */
export type ShownEntry = CorpusEntry & { half: 'development' | 'held-out' };
