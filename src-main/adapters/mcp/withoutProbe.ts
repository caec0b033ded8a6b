/** The request that only asks whether a server speaks the later protocol. */
const probe = /server\/discover/;
/** What validators of servers print around a request that they don't know, line by line. */
const aboutProbe = [
  probe,
  /^\s*Input should be /,
  /^\s*For further information visit https:\/\/errors\.pydantic\.dev\//,
  /^\s*\w+(?:Request|Notification)(?:\.\w+)*$/,
  /\d+ validation errors? for Client(?:Request|Notification)/,
];

/**
 * An error output without what the server says about the probe. A server of the earlier protocol may
 * complain about it and then works, so it is never the reason of a failure.
 */
export const withoutProbe = (output: string): string =>
  probe.test(output)
    ? output
        .split('\n')
        .filter((line) => !aboutProbe.some((pattern) => pattern.test(line)))
        .join('\n')
        .trim()
    : output;
