/** What a text field holds, and who is told each change of it. */
export const typed = (value: string, onText: (text: string) => void) => ({
  value,
  onChange: (event: { currentTarget: { value: string } }): void =>
    onText(event.currentTarget.value),
});

/** Whether a checkbox or switch is on, and who is told each change of it. */
export const ticked = (checked: boolean, onTick: (isOn: boolean) => void) => ({
  checked,
  onChange: (event: { currentTarget: { checked: boolean } }): void =>
    onTick(event.currentTarget.checked),
});

/** A form that acts when it is submitted; the window stays where it is. */
export const submitting = (act: () => void) => ({
  onSubmit: (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    act();
  },
});

/** The limits of a field for a number without decimals. */
export const whole = (min: number, max: number) => ({ min, max, allowDecimal: false });

/** A field that always holds a number within these limits, the lowest if it is emptied. */
export const wholeNumber = (
  value: number,
  [min, max]: readonly [number, number],
  onNumber: (value: number) => void,
) => ({
  ...whole(min, max),
  value,
  onChange: (typed: number | string): void =>
    onNumber(Math.min(max, Math.max(min, Number(typed) || min))),
});

/** The choices of a field in their order, each with its label. */
export const options = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));

/** What a choice holds, and who is told each other one. It always holds one. */
export const choosing = <Value extends string>(
  value: Value | null,
  onChoice: (value: Value) => void,
) => ({
  value,
  allowDeselect: false,
  onChange: (next: Value | null): void => {
    if (next !== null && next !== value) onChoice(next);
  },
});
