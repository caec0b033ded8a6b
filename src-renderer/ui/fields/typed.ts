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
