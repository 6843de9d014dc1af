import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { inspect } from 'node:util'

const { createHook } = asyncHooks
const hooks: AsyncHook[] = []

// The runner makes its hook when it is loaded, which must be after this module.
asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  hooks.push(hook)
  return hook
}

/**
 * Ends the runner's following of every promise, by which it finds the suite that a file's tests belong to, and the test
 * of an error that nobody catches: that costs a fifth of the time. Once the files are loaded it is known whose tests are
 * whose; an error that nobody catches then fails all files of the process, and its stack tells where it is from.
 */
export function stopTracking(): void {
  for (const hook of hooks) hook.disable()
  const tell = (error: unknown) => void process.stderr.write(`${inspect(error)}\n`)
  process.prependListener('uncaughtException', tell).prependListener('unhandledRejection', tell)
}
