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
  it('names the running evaluation, stops at the second Ctrl-C and exits at the third', async () => {
    list = ['#7 todo-sample: 20 of 61 runs done.'];
    await later('SIGINT');
    expect([stops, said.length]).toEqual([0, 1]);
    expect(said[0]).toContain('#7 todo-sample: 20 of 61 runs done.');
    await later('SIGINT');
    expect([stops, exits]).toEqual([1, 0]);
    await later('SIGINT');
    expect([stops, exits]).toEqual([1, 1]);
  });

  it('counts a Ctrl-C that npm passes on as one', async () => {
    list = ['#7'];
    time += 1000;
    signals.emit('SIGINT');
    signals.emit('SIGINT');
    await settled();
    signals.emit('SIGINT');
    await settled();
    expect([stops, said.length]).toEqual([0, 1]);
  });

  it('stops at once when nothing is running', async () => {
    await later('SIGINT');
    expect([stops, said]).toEqual([1, []]);
  });

  it('stops on SIGTERM and SIGHUP without asking', async () => {
    list = ['#7'];
    await later('SIGTERM');
    await later('SIGHUP');
    expect([stops, said]).toEqual([1, []]);
  });
});
