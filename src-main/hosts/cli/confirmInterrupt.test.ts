import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { onConfirmedInterrupt } from './confirmInterrupt.ts';

let time: number;
let said: string[];
let stops: number;
let exits: number;
let signals: EventEmitter;
let list: string[];
const settled = () => new Promise((resolve) => setImmediate(resolve));
const later = async (signal: string) => {
  time += 1000;
  signals.emit(signal);
  await settled();
};

beforeEach(() => {
  [time, said, stops, exits, signals, list] = [10_000, [], 0, 0, new EventEmitter(), []];
  onConfirmedInterrupt({
    stop: () => (stops += 1),
    running: async () => list,
    say: (text) => said.push(text),
    exit: () => (exits += 1),
    now: () => time,
    signals,
  });
});

describe('Ctrl-C in the terminal of a window', () => {
  it('would break off a running evaluation without a word', async () => {
    list = ['#7 todo-sample: 20 of 61 runs done.'];
    await later('SIGINT');
    expect([stops, said.length]).toEqual([0, 1]);
    expect(said[0]).toContain('#7 todo-sample: 20 of 61 runs done.');
    await later('SIGINT');
    expect([stops, exits]).toEqual([1, 0]);
    await later('SIGINT');
    expect([stops, exits]).toEqual([1, 1]);
  });

  it('once, passed on by npm, would count as twice', async () => {
    list = ['#7'];
    time += 1000;
    signals.emit('SIGINT');
    signals.emit('SIGINT');
    await settled();
    signals.emit('SIGINT');
    await settled();
    expect([stops, said.length]).toEqual([0, 1]);
  });

  it('would have to be pressed twice where nothing runs', async () => {
    await later('SIGINT');
    expect([stops, said]).toEqual([1, []]);
  });

  it('the end of the session would wait for an answer', async () => {
    list = ['#7'];
    await later('SIGTERM');
    await later('SIGHUP');
    expect([stops, said]).toEqual([1, []]);
  });
});
