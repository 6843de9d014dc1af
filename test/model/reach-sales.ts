import type { Holder } from './reach-holder.ts'
import { number } from './reach-places.ts'
import type { Mirror, Row } from './reach-rows.ts'
import { SOLD, type Rules } from './reach-rules.ts'

/** What payments and subscriptions name by an id alone: on which site, to whom and for which license they were. */
export class Sales {
  readonly #mirror: Mirror
  readonly #rules: Rules

  constructor(mirror: Mirror, rules: Rules) {
    this.#mirror = mirror
    this.#rules = rules
  }

  /** Whether a row stands in a text only where what a holder reads of a sale names it. */
  isNamedIn(text: string, holder: Holder, { table, id }: { readonly table: string; readonly id: number }) {
    switch (table) {
      case 'installs':
        return isOnlyNamed(text, 'install_id', id) && this.#isSoldOn(holder, id)
      case 'users':
        return isOnlyNamed(text, 'user_id', id) && this.#isBuyerFor(holder, id)
      case 'licenses':
        return isOnlyNamed(text, 'license_id', id) && this.#hasBought(holder, id)
      default:
        return false
    }
  }

  /** A payment or subscription in reach tells the id of the install that it was bought on. */
  #isSoldOn = (holder: Holder, installId: number): boolean =>
    this.#isSale(
      (row, table) => row['install_id'] === installId && this.#rules.maySee(holder, table, Number(row['id'])),
    )

  /** Who bought a license that a person was given, which payments and subscriptions of that tell by the id. */
  #isBuyerFor = (holder: Holder, userId: number): boolean =>
    this.#isSale((row) => row['user_id'] === userId && this.#rules.isOwned(holder, number(row, 'license_id')))

  /** The license that a person bought and another one has since, which its own payments and subscriptions tell. */
  #hasBought = (holder: Holder, licenseId: number): boolean =>
    holder.side === 'person' &&
    this.#isSale(
      (row, table) =>
        row['license_id'] === licenseId &&
        row['user_id'] === holder.userId &&
        this.#rules.maySee(holder, table, Number(row['id'])),
    )

  #isSale = (isIt: (row: Row, table: string) => boolean): boolean =>
    [...SOLD].some((table) => this.#mirror.rows(table).some((row) => isIt(row, table)))
}

/** Whether an id stands in a text only under this name. */
const isOnlyNamed = (text: string, name: string, id: number): boolean =>
  text.split(String(id)).length === text.split(`"${name}":"${id}"`).length
