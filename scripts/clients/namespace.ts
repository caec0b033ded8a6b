/**
 * Arguments of `unshare` that run a script of Bash with the loopback interface alone. What the script
 * leaves running ends with it. Its own arguments follow.
 */
export const alone = (script: string): string[] => [
  ...['--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ...['bash', '-c', script, 'bash'],
];
