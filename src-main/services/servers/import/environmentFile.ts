const line = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*?)\s*$/;

/** The variables of a `.env` file: a line each, with or without quotes; `#` begins a comment. */
export function readEnvironmentFile(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(/\r?\n/).flatMap((each): [string, string][] => {
      const [, name, written = ''] = line.exec(each) ?? [];
      return name === undefined ? [] : [[name, unquote(written)]];
    }),
  );
}

function unquote(written: string): string {
  const quoted = /^(["'`])(.*)\1(?:\s+#.*)?$/.exec(written);
  if (quoted === null) return written.replace(/(?:^|\s+)#.*$/, '');
  const inner = quoted[2] ?? '';
  return quoted[1] === '"' ? inner.replaceAll('\\n', '\n').replaceAll('\\"', '"') : inner;
}
