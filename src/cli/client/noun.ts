/** The ids of operations: of the account first where both do the same, there and in a product. */
type Operations = string | readonly [ofAccount: string, ofProduct: string]

/** An operation of which a verb takes some arguments only. */
export interface Part {
  readonly of: Operations
  readonly only: readonly string[]
  readonly describe: string
}

export type Verb = Operations | Part

/** What commands are about. */
export interface Noun {
  /** One line, for the help. */
  readonly describe: string
  /** The operation of each verb. */
  readonly verbs?: Readonly<Record<string, Verb>>
  /** The operation of a noun that is a command by itself. */
  readonly itself?: Verb
}

export type Nouns = Readonly<Record<string, Noun>>
