interface Test {
  after(done: () => unknown): void
}

/** Takes what ends things of a test, and does the last of it first: a server ends before what it works on goes. */
export function lastFirst(t: Test): (end: () => unknown) => void {
  const ends: (() => unknown)[] = []
  t.after(async () => {
    const failures: unknown[] = []
    for (const end of ends.toReversed())
      await Promise.try(end).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures)
  })
  return (end) => void ends.push(end)
}
