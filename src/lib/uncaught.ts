let count = 0

/** Counts an error that nobody caught in this process. */
export const countUncaught = (): void => void count++

/** How many errors nobody caught in this process. */
export const uncaughtErrors = (): number => count
