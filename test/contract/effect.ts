/** What a setting does, shown by a test, by file and title. */
interface Proved {
  readonly does: string
  readonly file: string
  readonly title: string
}

/** What clients are to show of it is all that it does: who reads it, in which reply, at which path. */
interface Told {
  readonly does: string
  readonly told: { readonly to: 'stranger' | 'user'; readonly reply: string; readonly at: string }
}

/** Only kept and answered to the seller: the contract has it, and nothing on this server acts on it. */
interface Kept {
  readonly does: string
  readonly kept: true
}

export type Effect = Proved | Told | Kept

export const by =
  (file: string, title: string) =>
  (does: string): Effect => ({ does, file, title })

const toldTo =
  (to: Told['told']['to'], reply: string) =>
  (at: string, does: string): Effect => ({ does, told: { to, reply, at } })

export const inPricing = toldTo('stranger', '/pricing.json')
export const inInfo = toldTo('stranger', '/info.json')
export const inReviews = toldTo('stranger', '/reviews.json')
/** The add-on that is written, in the list of its product. */
export const inAddons = toldTo('stranger', '/addons.json')
export const inLicenses = toldTo('user', '/licenses.json')

export const kept = (does: string): Effect => ({ does, kept: true })
