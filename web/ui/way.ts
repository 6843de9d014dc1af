/** Where a link leads: a path of the pages, filled in. */
export interface Way {
  readonly to: string
  readonly params: Readonly<Record<string, string>>
  readonly search?: Readonly<Record<string, string>>
}
