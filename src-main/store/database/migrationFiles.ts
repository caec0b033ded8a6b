import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../runtime/sha256.ts';

export interface Migration {
  id: number;
  name: string;
  sha256: string;
  sql: string;
}

/**
 * The files `NNNN-name.sql` of the folder in order. Any other file there is our mistake and ends
 * the program.
 */
export function readMigrations(folder: string): Migration[] {
  const migrations = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((fileName): Migration => {
      const [, digits, name] = /^(\d{4})-(.+)\.sql$/.exec(fileName) ?? [];
      if (digits === undefined || name === undefined)
        throw new Error(`${join(folder, fileName)} is not named NNNN-name.sql.`);
      // Line ends are not part of the hash, because a checkout may change them.
      const sql = readFileSync(join(folder, fileName), 'utf8').replaceAll('\r\n', '\n');
      return {
        id: Number(digits),
        name,
        sha256: sha256(sql),
        sql,
      };
    });
  for (const [index, { id }] of migrations.entries()) {
    if (id === 0 || migrations[index - 1]?.id === id)
      throw new Error(`Migration ${id} of ${folder} is duplicated or is 0.`);
  }
  if (migrations.length === 0) throw new Error(`There is no migration in ${folder}.`);
  return migrations;
}
