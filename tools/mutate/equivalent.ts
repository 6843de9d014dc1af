/** A mutant that changes nothing that anybody could see, told by its line before and after. */
interface Equivalent {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly reason: string
}

/** Those that were looked at: each changes the text of a rule and not the rule. */
export const EQUIVALENT: readonly Equivalent[] = []
