/** Work that several ask for at a time is done once for all of them; who asks when it is done has it done anew. */
export class Together<Result> {
  readonly #underWay = new Map<string, Promise<Result>>()

  /** `key` says which work it is. All are told the same result, which none may change, or the same error. */
  do(key: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.#underWay.get(key)
    if (known) return known
    const begun = work().finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, begun)
    return begun
  }
}
