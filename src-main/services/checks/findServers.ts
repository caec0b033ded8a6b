import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { readTextFile } from '../files/readTextFile.ts';

/** A server that a folder can start, with the file that says so. */
export interface FoundServer {
  name: string;
  /** Its command line, from that folder. */
  stdio: string;
  /** `package.json`, or the program itself. */
  from: string;
}

const programs: Readonly<Record<string, string>> = {
  '.mjs': 'node',
  '.js': 'node',
  '.cjs': 'node',
  '.py': 'python3',
};
/** Where a server's program is, if nothing names it. */
const sourceFolders = ['', 'src', 'dist', 'build'];
/** What a program that answers MCP requests has in it. */
const servesMcp =
  /["'`]tools\/list["'`]|@modelcontextprotocol\/(?:sdk|server)|\bfrom\s+(?:mcp|fastmcp)\b|\bMcpServer\b/;
const maxProgramBytes = 1024 * 1024;

/** The servers that a folder can start: the programs in package.json's `bin`, or those that serve MCP. */
export async function findServers(folder: string): Promise<FoundServer[]> {
  const named = await serversOfPackage(folder);
  return named.length > 0 ? named : programsThatServe(folder);
}

async function serversOfPackage(folder: string): Promise<FoundServer[]> {
  const text = await readTextFile(join(folder, 'package.json')).catch(() => null);
  const root: unknown = text === null ? null : orElse(() => JSON.parse(text) as JsonValue, null);
  if (!isJsonObject(root)) return [];
  const { bin, name } = root;
  const own = typeof name === 'string' ? name.replace(/^@[^/]*\//, '') : 'server';
  const all = typeof bin === 'string' ? { [own]: bin } : isJsonObject(bin) ? bin : {};
  return Object.entries(all).flatMap(([each, path]) =>
    typeof path === 'string'
      ? [{ name: each, stdio: commandOf(path.replace(/^\.\//, '')), from: 'package.json' }]
      : [],
  );
}

async function programsThatServe(folder: string): Promise<FoundServer[]> {
  const found: FoundServer[] = [];
  for (const part of sourceFolders) {
    const names = await readdir(join(folder, part)).catch(() => []);
    for (const name of names.toSorted()) {
      if (programs[extname(name)] === undefined || /\.(?:test|spec|config)\./.test(name)) continue;
      const path = part === '' ? name : `${part}/${name}`;
      const text = await readTextFile(join(folder, path)).catch(() => '');
      if (text.length <= maxProgramBytes && servesMcp.test(text))
        found.push({ name: basename(name, extname(name)), stdio: commandOf(path), from: path });
    }
    if (found.length > 0) break;
  }
  return found;
}

const commandOf = (path: string): string => {
  const shown = /\s/.test(path) ? JSON.stringify(path) : path;
  return `${programs[extname(path)] ?? 'node'} ${shown}`;
};
