/** Ends a wait early. A ring before the wait counts too, until `reset`. */
export class Alarm {
  #hasRung = false
  #wake = () => {}

  ring(): void {
    this.#hasRung = true
    this.#wake()
  }

  reset(): void {
    this.#hasRung = false
  }

  /** Resolves when it rings or has rung, after `ms` milliseconds at the latest. */
  async wait(ms: number): Promise<void> {
    if (this.#hasRung) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
