import { Foreign } from '../../../ui/text/Foreign.tsx';
import classes from './fix.module.css';

export function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <Foreign as="dd" text={value} />
        </div>
      ))}
    </dl>
  );
}
