import { describe, expect, it } from 'vitest';
import { namedError } from './namedError.ts';

const node = `node:internal/modules/cjs/loader:1478
  throw err;
  ^

Error: Cannot find module '/tools/missing.js'
    at Function._resolveFilename (node:internal/modules/cjs/loader:1475:15)
    at node:internal/main/run_main_module:33:47 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.21.0`;

const python = `Traceback (most recent call last):
  File "/tools/server.py", line 1, in <module>
    import fastmcp
ModuleNotFoundError: No module named 'fastmcp'`;

const chained = `ValueError: bad port

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/tools/server.py", line 9, in <module>
    start()
tools.StartError: no port is left`;

const java = `Exception in thread "main" java.lang.IllegalStateException: no port
\tat Server.main(Server.java:5)`;

describe('the line that names an error', () => {
  it.each([
    ['Node', node, "Error: Cannot find module '/tools/missing.js'"],
    [
      'Node with a code',
      'Error [ERR_MODULE_NOT_FOUND]: Cannot find package x\n    at a',
      'Error [ERR_MODULE_NOT_FOUND]: Cannot find package x',
    ],
    ['Python', python, "ModuleNotFoundError: No module named 'fastmcp'"],
    ['Python, of errors that follow from each other', chained, 'tools.StartError: no port is left'],
    ['Java', java, 'Exception in thread "main" java.lang.IllegalStateException: no port'],
    ['Go', 'panic: no port\n\ngoroutine 1 [running]:\nmain.main()', 'panic: no port'],
    ['other programs', 'error: no port\nUsage: server [options]', 'error: no port'],
  ])('is found in the output of %s', (_runtime, output, line) => {
    expect(namedError(output)).toBe(line);
  });

  it.each(['config.json: no such file', 'Error', '    Error: of a frame', 'Errors: 3', ''])(
    'is not there in %j',
    (output) => {
      expect(namedError(output)).toBeNull();
    },
  );
});
