/** A setting or condition as people read it. */
export const settingText = (value: string | number | boolean | null): string =>
  value === null ? 'none' : value === true ? 'on' : value === false ? 'off' : `${value}`;
