/**
 * What is there already, or is waited for: a database in the process answers at once, and a promise costs as much as a
 * short statement.
 */
export type Soon<T> = T | Promise<T>

/** Goes on with a value as soon as it is there. */
export const goOn = <T, U>(value: Soon<T>, work: (value: T) => Soon<U>): Soon<U> =>
  value instanceof Promise ? value.then(work) : work(value)
