import type { CompletedCommand, CompletedOption, Follows } from './commandTable.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * A script that completes commands, options and their values in a shell. It never starts the
 * program.
 */
export function completionScript(shell: Shell, table: readonly CompletedCommand[]): string {
  if (shell === 'fish') return fishScript(table);
  return shell === 'bash'
    ? `${candidates(table)}${bashGlue}`
    : `#compdef touchstone\n${candidates(table)}${zshGlue}`;
}

/**
 * Words that need no quoting in any shell. Others are not offered at all, which avoids three
 * quoting rules.
 */
const plain = (words: readonly string[]): string =>
  words.filter((word) => /^[\w.:-]+$/.test(word)).join(' ');
const shown = (follows: Follows): string =>
  follows.kind === 'words'
    ? plain(follows.words)
    : follows.kind === 'any' || follows.kind === 'none'
      ? ''
      : `<${follows.kind}>`;

function cases(rows: readonly (readonly [string, string])[]): string {
  const patterns = new Map<string, string[]>();
  for (const [pattern, text] of rows)
    if (text !== '') patterns.set(text, [...(patterns.get(text) ?? []), `'${pattern}'`]);
  return [...patterns].map(([text, all]) => `    ${all.join('|')}) echo '${text}' ;;`).join('\n');
}

/**
 * Shared by bash and zsh, in plain POSIX shell: takes the words before the cursor and prints
 * candidates.
 */
function candidates(table: readonly CompletedCommand[]): string {
  const options = table.flatMap(({ path, options: all }) =>
    all.map((option) => [path, option] as const),
  );
  const function_ = (name: string, subject: string, rows: readonly (readonly [string, string])[]) =>
    `${name}() {\n  case "${subject}" in\n${cases(rows)}\n  esac\n}\n`;
  return [
    '# Made by `touchstone completion`.\n',
    function_(
      '__touchstone_commands',
      '$1',
      table.map(({ path, commands }) => [path, plain(commands)]),
    ),
    function_(
      '__touchstone_options',
      '$1',
      table.map(({ path, options: all }) => [path, plain(all.map(({ name }) => name))]),
    ),
    function_(
      '__touchstone_takes',
      '$1 $2',
      options.map(([path, { name, many, follows }]) => [
        `${path} ${name}`,
        follows.kind === 'none' ? '' : many ? 'many' : 'one',
      ]),
    ),
    function_('__touchstone_values', '$1 $2', [
      ...options.map(([path, { name, follows }]) => [`${path} ${name}`, shown(follows)] as const),
      ...table.map(({ path, argument }) => [`${path} `, shown(argument)] as const),
    ]),
    posix,
  ].join('');
}

const posix = `__touchstone_candidates() {
  local at='' option='' takes='' word='' operand=''
  while [ $# -gt 1 ]; do
    word=$1
    shift
    [ "$word" = '=' ] && continue
    if [ "$takes" = one ]; then
      takes=''
      continue
    fi
    case "$word" in
      -*)
        option=$word
        takes=$(__touchstone_takes "$at" "$option")
        ;;
      *)
        [ "$takes" = many ] && continue
        case " $(__touchstone_commands "$at") " in
          *" $word "*) [ -z "$operand" ] && at="\${at:+$at }$word" ;;
          *) operand=yes ;;
        esac
        ;;
    esac
  done
  case "$takes $1" in
    one*|'many '[!-]*|'many ') __touchstone_values "$at" "$option" ;;
    *' -'*) __touchstone_options "$at" ;;
    *)
      if [ -z "$operand" ] && [ -n "$(__touchstone_commands "$at")" ]; then __touchstone_commands "$at"; else __touchstone_values "$at" ''; fi
      ;;
  esac
}
`;

const bashGlue = `_touchstone() {
  local cur=\${COMP_WORDS[COMP_CWORD]} found IFS=$' \\t\\n'
  [ "$cur" = '=' ] && cur=''
  found=$(__touchstone_candidates "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$cur")
  COMPREPLY=()
  case "$found" in
    '<file>'|'<folder>')
      compopt -o default 2>/dev/null && return
      IFS=$'\\n'
      if [ "$found" = '<file>' ]; then COMPREPLY=($(compgen -f -- "$cur")); else COMPREPLY=($(compgen -d -- "$cur")); fi
      ;;
    *) COMPREPLY=($(compgen -W "$found" -- "$cur")) ;;
  esac
}
complete -F _touchstone touchstone
`;

const zshGlue = `_touchstone() {
  local found
  found=$(__touchstone_candidates "\${(@)words[2,CURRENT-1]}" "\${words[CURRENT]}")
  case "$found" in
    '<file>') _files ;;
    '<folder>') _files -/ ;;
    *) compadd -- \${=found} ;;
  esac
}
if [ "\${funcstack[1]}" = _touchstone ]; then _touchstone "$@"; else compdef _touchstone touchstone; fi
`;

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fishScript(table: readonly CompletedCommand[]): string {
  const lines = table.flatMap(({ path, commands, options, argument }) => {
    const here = `complete -c touchstone -n ${quoted(`__touchstone_at ${path}`.trim())}`;
    const describe = (name: string) =>
      table.find((each) => each.path === (path === '' ? name : `${path} ${name}`))?.description ??
      '';
    return [
      ...commands.map((name) => `${here} -a ${name} -d ${quoted(describe(name))}`),
      ...options.map(
        (option) =>
          `${here} -l ${option.name.replace(/^--/, '')}${fishValue(option)} -d ` +
          quoted(option.description),
      ),
      ...(argument.kind === 'words'
        ? [`${here} -a ${quoted(plain(argument.words))}`]
        : argument.kind === 'file'
          ? [`${here} -F`]
          : []),
    ];
  });
  const paths = table.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const taking = table.flatMap(({ path, options }) =>
    options
      .filter(({ follows }) => follows.kind !== 'none')
      .map(({ name }) => quoted(`${path} ${name}`.trim())),
  );
  return `# Made by \`touchstone completion\`.
set -g __touchstone_paths ${paths.join(' ')}
set -g __touchstone_taking ${taking.join(' ')}
function __touchstone_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l at
    set -l value no
    for word in $words
        set -l here (string join ' ' -- $at $word)
        if test $value = yes
            set value no
        else if contains -- $here $__touchstone_taking
            set value yes
        else if contains -- $here $__touchstone_paths
            set -a at $word
        end
    end
    test "$at" = "$argv"
end
complete -c touchstone -f
${lines.join('\n')}
`;
}

function fishValue({ follows }: CompletedOption): string {
  if (follows.kind === 'none') return '';
  if (follows.kind === 'words') return ` -x -a ${quoted(plain(follows.words))}`;
  return follows.kind === 'any' ? ' -x' : ' -r -F';
}
