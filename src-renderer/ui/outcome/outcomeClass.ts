import classes from './outcome.module.css';

/** Gives an element with `data-outcome` the colors of that outcome. */
export const outcomeClass = classes.outcome ?? '';
