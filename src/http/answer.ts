/** What a handler answers beside the body of its reply. */
export class Answer<T> {
  readonly body: T
  readonly headers: Readonly<Record<string, string>>

  constructor(body: T, headers: Readonly<Record<string, string>>) {
    this.body = body
    this.headers = headers
  }
}

/** Nothing, with 204, in the place of the reply of an operation that is `orNothing`. */
export const nothing = (): Answer<never> => new Answer(undefined as never, {})

/** A reply with headers of its own. A stored reply (Idempotency-Key) is kept and repeated without them. */
export const withHeaders = <T>(body: T, headers: Readonly<Record<string, string>>): Answer<T> =>
  new Answer(body, headers)
