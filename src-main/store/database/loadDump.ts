import Sqlite from 'better-sqlite3';

/** Texts, quoted names and comments of SQL, whose words are no statements. */
const quoted =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/gu;
const allowedPragmas =
  /^(?:foreign_keys|defer_foreign_keys|user_version|application_id|encoding)$/iu;
const maxPages = 65_536;

/** What a dump must not do: reach other files, or lift a limit. Null if it does nothing of it. */
function forbiddenStatement(sql: string): string | null {
  const words = sql.replace(quoted, ' x ');
  const other = /\b(?:ATTACH|DETACH|VACUUM|load_extension)\b/iu.exec(words)?.[0];
  if (other !== undefined) return other;
  for (const [, name = ''] of words.matchAll(/\bPRAGMA\s+(?:\w+\s*\.\s*)?(\w+)/giu))
    if (!allowedPragmas.test(name)) return `PRAGMA ${name}`;
  // A name in quotes after PRAGMA is read as nothing else.
  return /\bpragma_|\bPRAGMA\s+x\b/iu.test(words) ? 'PRAGMA' : null;
}

/**
 * The database that an SQL dump makes, as the bytes of its file. It is made in memory, so nothing else
 * is read or written. Call it in a worker: a dump may compute without an end. Throws Error with the
 * cause.
 */
export function loadDump(sql: string): Buffer {
  const forbidden = forbiddenStatement(sql);
  if (forbidden !== null)
    throw new Error(`${forbidden} can't be used in a dump. Leave the statement out.`);
  const db = new Sqlite(':memory:');
  try {
    db.pragma(`max_page_count = ${maxPages}`);
    // Rows of a dump come in any order of their tables.
    db.pragma('foreign_keys = OFF');
    db.exec(sql);
    if (db.inTransaction) throw new Error('It begins a transaction that it does not commit.');
    return db.serialize();
  } finally {
    db.close();
  }
}
