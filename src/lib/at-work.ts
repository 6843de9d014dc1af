import { AsyncLocalStorage } from 'node:async_hooks'

const works = new AsyncLocalStorage<string>()

/** Does something on behalf of a request or job, whose name goes with everything that follows from it. */
export const atWork = <T>(name: string, work: () => T): T => works.run(name, work)

/** On whose behalf this is done; undefined: nobody's. */
export const currentWork = (): string | undefined => works.getStore()
