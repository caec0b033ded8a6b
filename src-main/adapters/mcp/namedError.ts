/**
 * How the runtimes of servers begin the line that names an error: `TypeError: …` and
 * `Error [ERR_MODULE_NOT_FOUND]: …` of Node, `ModuleNotFoundError: …` of Python, `Exception in
 * thread "main" …` of Java, `panic: …` of Go, `error: …` of many programs. Frames of the stack and
 * nested causes are indented.
 */
const beginnings = [
  /^(?:Uncaught )?(?:[\w$]+\.)*[\w$]*(?:Error|Exception)(?: \[\w+\])?: \S/,
  /^Exception in thread /,
  /^(?:panic|fatal|fatal error|error): \S/i,
];

/**
 * The last line of an error output that names an error; null if none does. What a runtime prints
 * after it, such as the stack and its own version, says less.
 */
export const namedError = (output: string): string | null =>
  output
    .split('\n')
    .findLast((line) => beginnings.some((beginning) => beginning.test(line)))
    ?.trim() ?? null;
