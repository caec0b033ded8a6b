import { describe, expect, it } from 'vitest';
import type { TrajectoryStep } from '../../../src-shared/domain/task.ts';
import { seededRandom } from '../../testing/seededRandom.ts';
import { alignTrajectories } from './alignTrajectories.ts';
import { callOf, stepOf } from './trajectory.fixture.ts';

/** Steps by letter: a call of that tool, with a digit as its argument; "." answers. */
const steps = (text: string, turn = 0): TrajectoryStep[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word) => ({
      ...stepOf(word === '.' ? [] : [callOf(word.charAt(0), word[1] ? { x: word[1] } : {})]),
      turn,
    }));
const aligned = (run: string, reference: string) =>
  alignTrajectories(steps(run), steps(reference)).rows.map(
    ({ relation, run: one, reference: other }) => `${one ?? '-'} ${relation} ${other ?? '-'}`,
  );

describe('alignTrajectories', () => {
  it('pairs steps with the same calls and does not compare the words of answers', () => {
    const [run, reference] = [steps('a b .'), steps('a b .')];
    expect(alignTrajectories([...run.slice(0, 2), stepOf([], 'Done.')], reference)).toEqual({
      rows: [0, 1, 2].map((at) => ({ relation: 'same', turn: 0, run: at, reference: at })),
      first: null,
    });
  });

  it('pairs a tool with another one, and with other arguments', () => {
    expect(aligned('a b .', 'a c .')).toEqual(['0 same 0', '1 tools 1', '2 same 2']);
    expect(aligned('a b1 .', 'a b2 .')).toEqual(['0 same 0', '1 arguments 1', '2 same 2']);
  });

  it('continues after steps that only one run has', () => {
    expect(aligned('a b c .', 'a c .')).toEqual([
      '0 same 0',
      '1 run_only -',
      '2 same 1',
      '3 same 2',
    ]);
    expect(aligned('a .', 'a b c .')).toEqual([
      '0 same 0',
      '- reference_only 1',
      '- reference_only 2',
      '1 same 3',
    ]);
  });

  it('never pairs an answer with a call', () => {
    expect(aligned('.', 'a')).toEqual(['0 run_only -', '- reference_only 0']);
  });

  it('pairs the earliest of equal steps', () => {
    expect(aligned('a', 'a a')).toEqual(['0 same 0', '- reference_only 1']);
  });

  it('does not pair steps of different turns', () => {
    const run = [...steps('a'), ...steps('b', 1)];
    expect(alignTrajectories(run, [...steps('a b'), ...steps('c', 1)])).toEqual({
      rows: [
        { relation: 'same', turn: 0, run: 0, reference: 0 },
        { relation: 'reference_only', turn: 0, run: null, reference: 1 },
        { relation: 'tools', turn: 1, run: 1, reference: 2 },
      ],
      first: 1,
    });
  });

  it('aligns a run that has no step', () => {
    expect(alignTrajectories([], [])).toEqual({ rows: [], first: null });
    expect(aligned('', 'a .')).toEqual(['- reference_only 0', '- reference_only 1']);
  });

  it('keeps every step once and in order, whatever the runs are', () => {
    const random = seededRandom('alignments of trajectories');
    for (let round = 0; round < 200; round += 1) {
      const make = () =>
        steps(
          Array.from({ length: random.integer(12) }, () => 'ab.'.charAt(random.integer(3))).join(
            ' ',
          ),
        );
      const [run, reference] = [make(), make()];
      const { rows } = alignTrajectories(run, reference);
      const kept = (side: 'run' | 'reference') =>
        rows.map((row) => row[side]).filter((index) => index !== null);
      expect(kept('run')).toEqual(run.map((_, index) => index));
      expect(kept('reference')).toEqual(reference.map((_, index) => index));
    }
  });

  it('aligns two runs of 1,000 steps', () => {
    const long = steps(Array.from({ length: 1000 }, (_, at) => `a${at % 7}`).join(' '));
    expect(alignTrajectories(long, long.slice(1)).rows).toHaveLength(1000);
  });
});
