/** Why values of a report are not checked: what they would have to be counted from isn't in it. */
export const reasons = {
  ids: 'ids, hashes and positions',
  times: 'times',
  texts: 'texts, and how runs ended',
  settings: 'settings, as given',
  measured: 'measured in each run; only their sums and verdicts are counted again',
  tools: 'the texts of the tools are not in the report',
  trajectories:
    'the trajectories are not in the report; only what follows from these values is counted again',
} as const;
