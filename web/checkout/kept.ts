import type { Mode } from './address.ts'

const NAME = /^#checkout=([\w-]+)$/

/** The checkout that was open before a reload; in a frame the hash is the address of the page around it. */
export const keptInAddress = (mode: Mode): string | null =>
  mode === 'page' ? (NAME.exec(location.hash)?.[1] ?? null) : null

/** Leaves the name of a checkout in the address, so that a reload goes on with it. */
export function keepInAddress(mode: Mode, id: string | null): void {
  if (mode === 'page' && id !== null) history.replaceState(null, '', `#checkout=${id}`)
}
