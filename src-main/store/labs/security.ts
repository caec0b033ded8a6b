import { z } from 'zod';
import { corpusEntry, type CorpusEntry } from '../../../src-shared/domain/security.ts';
import { namingConflicts, notFound, json, readRow } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';

/** A corpus of attacks and harmless texts, without its entries. */
interface StoredCorpus {
  id: string;
  name: string;
  version: string;
}

type NewCorpus = Omit<StoredCorpus, 'id'> & { entries: readonly CorpusEntry[] };

/** Why and when a finding was marked as safe. */
interface Acceptance {
  reason: string;
  at: string;
}

const corpusRow = z.object({ id: z.string(), name: z.string(), version: z.string() });

/** Corpora of the security lab, and the findings that were marked as safe. */
export function openSecurity({ db, clock, nextId, transaction }: StoreContext) {
  const allCorpora = db.prepare<[], StoredCorpus>(
    'SELECT id, name, version FROM security_corpora ORDER BY name',
  );
  const insertCorpus = db.prepare<[string, string, string, string]>(
    'INSERT INTO security_corpora (id, name, version, created_at) VALUES (?, ?, ?, ?)',
  );
  const deleteCorpus = db.prepare<[string]>('DELETE FROM security_corpora WHERE id = ?');
  const entriesOf = db.prepare<[string], { id: string; content: string }>(
    'SELECT id, content FROM security_entries WHERE corpus_id = ? ORDER BY position, id',
  );
  const put = db.prepare<{
    corpusId: string;
    id: string;
    content: string;
  }>(`INSERT INTO security_entries (corpus_id, id, position, content)
    VALUES (:corpusId, :id, (SELECT coalesce(max(position), 0) + 1 FROM security_entries WHERE corpus_id = :corpusId), :content)
    ON CONFLICT (corpus_id, id) DO UPDATE SET content = excluded.content`);
  const deleteOne = db.prepare<[string, string]>(
    'DELETE FROM security_entries WHERE corpus_id = ? AND id = ?',
  );
  const acceptances = db.prepare<[], { fingerprint: string; reason: string; accepted_at: string }>(
    'SELECT fingerprint, reason, accepted_at FROM accepted_findings',
  );
  const insertAcceptance = db.prepare<
    [string, string, string, string, string]
  >(`INSERT INTO accepted_findings (fingerprint, server_name, tool_name, reason, accepted_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (fingerprint) DO UPDATE SET reason = excluded.reason, accepted_at = excluded.accepted_at`);
  const deleteAcceptance = db.prepare<[string]>(
    'DELETE FROM accepted_findings WHERE fingerprint = ?',
  );

  const putEntry = (corpusId: string, entry: CorpusEntry) =>
    transaction(() => {
      namingConflicts(
        `The entry ${entry.id}`,
        {
          'foreign key': () => ({
            thing: `The corpus ${corpusId}`,
            cause: "It doesn't exist.",
            nextStep: 'Choose one from the list of corpora.',
          }),
        },
        () => put.run({ corpusId, id: entry.id, content: JSON.stringify(entry) }),
      );
    });

  return {
    /** Ordered by name. */
    corpora: (): StoredCorpus[] =>
      allCorpora.all().map((row) => readRow(corpusRow, `The corpus ${row.name}`, () => row)),
    /** In the order in which they were added. */
    entries: (corpusId: string): CorpusEntry[] =>
      entriesOf
        .all(corpusId)
        .map(({ id, content }) => readRow(corpusEntry, `The entry ${id}`, () => json(content))),
    /** CONFLICT where the name is taken. */
    addCorpus: ({ name, version, entries }: NewCorpus): StoredCorpus =>
      transaction(() => {
        const id = nextId();
        namingConflicts(
          `The corpus ${name}`,
          {
            'security_corpora.name': () => ({
              thing: `The corpus ${name}`,
              cause: 'Another corpus has this name.',
              nextStep: 'Give it another name.',
            }),
          },
          () => insertCorpus.run(id, name, version, clock.now()),
        );
        for (const entry of entries) putEntry(id, entry);
        return { id, name, version };
      }),
    /** Also deletes its entries. NOT_FOUND where there is none. */
    removeCorpus: (id: string): void =>
      transaction(() => {
        if (deleteCorpus.run(id).changes === 0) throw notFound('The corpus', id);
      }),
    /** Adds the entry at the end, or replaces the one with the same id in its place. */
    putEntry,
    deleteEntry: (corpusId: string, id: string): void =>
      transaction(() => {
        if (deleteOne.run(corpusId, id).changes === 0) throw notFound('The entry', id);
      }),
    /** By the fingerprint of the finding. */
    acceptances: (): Map<string, Acceptance> =>
      new Map(
        acceptances
          .all()
          .map(({ fingerprint, reason, accepted_at }) => [
            fingerprint,
            { reason, at: accepted_at },
          ]),
      ),
    /** Marks all findings as safe, or none. */
    accept: (
      findings: readonly { fingerprint: string; server: string; tool: string }[],
      reason: string,
    ): Acceptance =>
      transaction(() => {
        const at = clock.now();
        for (const { fingerprint, server, tool } of findings)
          insertAcceptance.run(fingerprint, server, tool, reason, at);
        return { reason, at };
      }),
    /** Returns how many were marked. */
    withdraw: (fingerprints: readonly string[]): number =>
      transaction(() =>
        fingerprints.reduce((sum, each) => sum + deleteAcceptance.run(each).changes, 0),
      ),
  };
}
