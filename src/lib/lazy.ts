import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** A library that a server may run without for long: it is loaded with its first use, and takes no memory before. */
export const lazy =
  <Library>(name: string): (() => Library) =>
  () =>
    load(name) as Library
