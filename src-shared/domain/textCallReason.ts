import type { UnscoredGroup } from './judgement.ts';

/** A call that a reply wrote as text: the id of its tool, and the notation. */
export interface TextCall {
  tool: string;
  notation: string;
}

const remedy = 'Start it with its tool-call parser.';
const pattern = /^The endpoint returned a call of ([^]+) as text \(([^]+)\)\. Start it/u;
const maxNamed = 3;

/** Why a run isn't scored whose reply makes a call as text. */
export const textCallReason = ({ tool, notation }: TextCall): string =>
  `The endpoint returned a call of ${tool} as text (${notation}). ${remedy}`;

/**
 * Groups with all calls as text in one: what an endpoint lacks is one reason, whatever the tool and
 * the notation. The most frequent reason comes first.
 */
export function joinTextCalls(groups: readonly UnscoredGroup[]): UnscoredGroup[] {
  const joined: UnscoredGroup[] = [];
  const calls = new Map<UnscoredGroup['failure'], { group: UnscoredGroup; calls: TextCall[] }>();
  for (const group of groups) {
    const [, tool, notation] = pattern.exec(group.message ?? '') ?? [];
    if (tool === undefined || notation === undefined) {
      joined.push(group);
      continue;
    }
    const known = calls.get(group.failure);
    const all = [...(known?.calls ?? []), { tool, notation }];
    calls.set(group.failure, {
      calls: all,
      group: {
        ...group,
        message: all.length === 1 ? group.message : pluralReason(all),
        runs: (known?.group.runs ?? 0) + group.runs,
        cases: [...new Set([...(known?.group.cases ?? []), ...group.cases])],
      },
    });
  }
  joined.push(...[...calls.values()].map(({ group }) => group));
  return joined.sort((a, b) => b.runs - a.runs);
}

const pluralReason = (calls: readonly TextCall[]): string =>
  `The endpoint returned calls of ${firstOf(calls.map(({ tool }) => tool))} as text ` +
  `(${firstOf(calls.map(({ notation }) => notation))}). ${remedy}`;

function firstOf(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const more = distinct.length - maxNamed;
  return `${distinct.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
