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

/** Another address, with 303, in the place of the reply of an operation that is `orElsewhere`. */
export const elsewhere = (location: string): Answer<never> => new Answer(undefined as never, { location })

/** A reply with headers of its own. A stored reply (Idempotency-Key) is kept and repeated without them, but for `elsewhere`. */
export const withHeaders = <T>(body: T, headers: Readonly<Record<string, string>>): Answer<T> =>
  new Answer(body, headers)

/** Bytes in the place of a JSON reply, for whoever shows or keeps them as a file. */
export class Download {
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string>>

  /** `name` is of letters, digits, dots and hyphens. */
  constructor(bytes: Buffer, { type, name }: { readonly type: string; readonly name: string }) {
    this.bytes = bytes
    this.headers = { 'content-type': type, 'content-disposition': `inline; filename="${name}"` }
  }
}
