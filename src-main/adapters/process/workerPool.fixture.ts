import { serveItems } from './itemLoop.ts';

export type Order =
  | { do: 'double'; value: number }
  | { do: 'report'; stage: number }
  | { do: 'spin' }
  | { do: 'spinForMs'; ms: number }
  | { do: 'sleepMs'; ms: number }
  | { do: 'throw' }
  | { do: 'exit' }
  | { do: 'exhaust' }
  | { do: 'shared' }
  | { do: 'count' }
  | { do: 'handOver'; bytes: number[] }
  | { do: 'countHeld' };

let counted = 0;
let held = new Uint8Array();

serveItems((item, { shared, enterStage, handOver }) => {
  const order = item as Order;
  switch (order.do) {
    case 'double':
      return order.value * 2;
    case 'report':
      enterStage(order.stage, 1);
      return null;
    case 'spin':
      enterStage(7, 42);
      for (;;);
    case 'spinForMs': {
      const end = performance.now() + order.ms;
      while (performance.now() < end);
      return 'spun';
    }
    case 'sleepMs':
      // Blocks the thread without computing anything, as a loaded machine does.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, order.ms);
      return 'slept';
    case 'throw':
      throw new Error('no');
    case 'exit':
      enterStage(3, 1);
      return process.exit(5);
    case 'exhaust': {
      const all: number[][] = [];
      for (;;) all.push(new Array<number>(100_000).fill(all.length));
    }
    case 'shared':
      return shared ?? null;
    case 'count':
      return (counted += 1);
    case 'handOver':
      held = Uint8Array.from(order.bytes);
      handOver([held]);
      return held;
    case 'countHeld':
      return held.length;
  }
});
