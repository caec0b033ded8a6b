import { benchSecurity } from './security.ts';
for (const r of benchSecurity()) console.log(r.what, r.measured, r.peer, r.ratio?.toFixed(2), r.bound);
