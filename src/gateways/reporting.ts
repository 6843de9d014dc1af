import type { Reporting } from './gateway.ts'

/** Of what is needed, whether all is reported; `*` stands for everything. */
export function reportingOf(reported: readonly string[], needed: readonly string[]): Reporting {
  if (reported.includes('*')) return { state: 'whole' }
  const missing = needed.filter((name) => !reported.includes(name))
  return missing.length === 0 ? { state: 'whole' } : { state: 'in part', missing }
}
