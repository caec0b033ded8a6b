/**
 * Finds values of callers in text that a program runs as code. Every template becomes one whole
 * argument, so a value can't add another. But an argument such as the one after `sh -c` is a
 * program, and in there a value is code, whatever it is made of.
 */

/** How a program takes code as an argument. */
interface CodeRule {
  /** Options whose next argument is code. */
  options: RegExp;
  /** Options that hold the code themselves. */
  attached?: RegExp;
  /** Options whose next argument is not an operand. */
  valued?: RegExp;
  /** The first operand is a file with code, and what follows are its arguments. */
  readsFile?: boolean;
  /** Several options with code are allowed. */
  repeats?: boolean;
  /** Which operand is code although no option announces it, from 0. */
  codeOperand?: number;
  /** All further arguments are one piece of code. */
  takesRest?: boolean;
  /** The next step for whoever writes the tool. */
  instead: string;
}

const positional = (option: string, code: string): string =>
  `Pass it as a separate argument: ${JSON.stringify([option, code, '--', '{{name}}'])}.`;
const standardInput =
  'Write a script instead, or let the program read the values as JSON from standard input.';

const shell: CodeRule = {
  options: /^[-+][A-Za-z]*c[A-Za-z]*$|^--command$/,
  attached: /^--command=/,
  readsFile: true,
  instead: positional('-c', 'echo "$1"'),
};
const javaScript: CodeRule = {
  options: /^-(e|p|pe|-eval|-print)$/,
  attached: /^--(eval|print)=/,
  readsFile: true,
  instead: positional('-e', 'console.log(process.argv[1])'),
};

const rules: readonly [program: RegExp, rule: CodeRule][] = [
  [/^(r?ba|da|z|k|mk|pdk|a|fi|c|tc)?sh$/, shell],
  [/^(su|runuser|script|flock)$/, { ...shell, readsFile: false, instead: standardInput }],
  [/^(node|nodejs|bun|tsx|ts-node)$/, javaScript],
  [/^deno$/, { ...javaScript, options: /^(eval|-e|-p)$/ }],
  [
    /^(python|pypy)[\d.]*w?$/,
    {
      options: /^-[A-Za-z]*c$/,
      attached: /^-[bBdEhiIOPqsSuvVx]*c./,
      readsFile: true,
      instead: positional('-c', 'import sys; print(sys.argv[2])'),
    },
  ],
  [
    /^(perl|ruby|lua|luajit|Rscript|osascript|groovy|elixir|julia)[\d.]*$/,
    {
      options: /^-[A-Za-z]*[eE]$/,
      attached: /^-[eE]./,
      readsFile: true,
      repeats: true,
      instead: standardInput,
    },
  ],
  [
    /^php[\d.]*$/,
    {
      options: /^-[rBRE]$/,
      attached: /^-[rBRE]./,
      readsFile: true,
      repeats: true,
      instead: standardInput,
    },
  ],
  [
    /^([gmn]?awk|g?sed)$/,
    {
      options: /^-(e|-expression|-source)$/,
      attached: /^(-e.|--(expression|source)=)/,
      valued: /^-[vF]$/,
      codeOperand: 0,
      instead: standardInput,
    },
  ],
  [
    /^env$/,
    {
      options: /^(-S|--split-string)$/,
      attached: /^(-S.|--split-string=)/,
      instead: standardInput,
    },
  ],
  [/^(npx|npm|pnpm)$/, { options: /^(-c|--call)$/, attached: /^--call=/, instead: standardInput }],
  [/^cmd$/i, { options: /^\/[a-z/]*[ckr]/i, takesRest: true, instead: standardInput }],
  [
    /^(powershell|pwsh)$/i,
    {
      // Any beginning of the option's name is accepted.
      options: /^[-/](c|co|com|comm|comma|comman|command|e|ec|en\w*|commandw\w*)$/i,
      valued: /^-(ex|ep|w|wo|v|in|o|cu|cus)\w*$/i,
      codeOperand: 0,
      takesRest: true,
      instead: standardInput,
    },
  ],
  [
    /^ssh$/,
    {
      options: /^$/,
      valued: /^-[BbcDEeFIiJLlmOopQRSWw]$/,
      // The first operand is the host; the shell there parses all others.
      codeOperand: 1,
      takesRest: true,
      instead: standardInput,
    },
  ],
];

const hasPlaceholder = (text: string): boolean => /\{\{\s*[A-Za-z_][\w.]*\s*\}\}/.test(text);

/**
 * Why a program is refused with these arguments, as sentences; null if it runs no value as code.
 * Also looks behind programs that start another one, such as `env sh -c …`. Knows the usual
 * interpreters and not every program that runs code.
 */
export function findValueInCode(command: string, args: readonly string[]): string | null {
  const words = [command, ...args];
  for (const [index, word] of words.entries()) {
    const name = programName(word);
    const rule = rules.find(([program]) => program.test(name))?.[1];
    if (rule === undefined) continue;
    const code = codeIn(words.slice(index + 1), rule).find(hasPlaceholder);
    if (code !== undefined)
      return (
        `"${shorten(code)}" is code that ${name} runs, so a value in it could run any command. ` +
        rule.instead
      );
  }
  return null;
}

function codeIn(args: readonly string[], rule: CodeRule): string[] {
  const found: string[] = [];
  let operands = 0;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (rule.attached?.test(arg) === true) found.push(arg);
    else if (rule.options.test(arg)) {
      if (rule.takesRest === true) return args.slice(index);
      // A shell reads further options before its code: `sh -c -e -- CODE`.
      if (rule.options === shell.options)
        while (/^[-+]([A-Za-z-]|$)/.test(args[index + 1] ?? '')) index += 1;
      index += 1;
      found.push(args[index] ?? '');
      // What follows are the values of the code.
      if (rule.readsFile === true && rule.repeats !== true) return found;
    } else if (rule.codeOperand !== undefined && /^-(f|-?file|File)$/.test(arg)) return found;
    else if (rule.valued?.test(arg) === true) index += 1;
    else if (!arg.startsWith('-')) {
      // An operand that follows an option may be its value.
      const mayBeValue = index > 0 && /^[-+]/.test(args[index - 1] ?? '');
      if (rule.readsFile === true && !mayBeValue) return found;
      if (operands === rule.codeOperand && found.length === 0)
        return rule.takesRest === true ? args.slice(index) : [arg];
      operands += 1;
    }
  }
  return found;
}

/** The name of a program without its folder and the ending of Windows. */
function programName(word: string): string {
  return (word.split(/[\\/]/).at(-1) ?? '').replace(/\.(exe|cmd|bat|com)$/i, '');
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
