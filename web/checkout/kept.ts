import type { Address, Mode } from './address.ts'

const NAME = /^#checkout=([\w-]+)$/

/** The checkout that was open before a reload; in a frame the hash is the address of the page around it. */
export const keptInAddress = (mode: Mode): string | null =>
  mode === 'page' ? (NAME.exec(location.hash)?.[1] ?? null) : null

/** Leaves the name of a checkout in the address, so that a reload goes on with it. */
export function keepInAddress(mode: Mode, id: string | null): void {
  if (mode === 'page' && id !== null) history.replaceState(null, '', `#checkout=${id}`)
}

/** Takes who buys out of the address, so that neither a copy of it nor what it leads to tells that. */
export function hideBuyerInAddress({ mode, opens, isBuyerFixed }: Address): void {
  if (!isBuyerFixed) return
  const url = new URL(location.href)
  for (const name of ['user_email', 'user_firstname', 'user_lastname']) url.searchParams.delete(name)
  // What is typed here instead stays open to change, also after a reload.
  if (opens['user_email'] === undefined && keptInAddress(mode) === null)
    url.searchParams.delete('readonly_user')
  history.replaceState(null, '', url)
}
