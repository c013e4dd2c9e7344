/** True for the values of a variable that switch something on: `1`, `true`, `yes`, `on`, in any case. */
export function isOn(value: string | undefined): boolean {
  return ['1', 'true', 'yes', 'on'].includes(value?.trim().toLowerCase() ?? '');
}
