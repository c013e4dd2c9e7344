/** The truth values of the contract's environment variables. */
export function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && ['1', 'true', 'yes', 'on'].includes(value.trim().toLowerCase());
}
