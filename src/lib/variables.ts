/** Variables of the environment, one at a time; null for one that is not set. */
export interface Variables {
  text(name: string): string | null
  address(name: string): string | null
}
