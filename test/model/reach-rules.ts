import { number, placeOf, type Place } from './reach-places.ts'
import { isStoreOf, storeOf } from './reach-stores.ts'
import { CATALOGUE, HIDDEN_FROM, isForSale, PERSONAL, type Holder } from './reach-holder.ts'
import type { Mirror, Row, Secret, Touch } from './reach-rows.ts'

/** What a license was bought by. */
export const SOLD = new Set(['payments', 'subscriptions'])

export class Rules {
  readonly #mirror: Mirror

  constructor(mirror: Mirror) {
    this.#mirror = mirror
  }

  /** Whether a holder may be told of a row, or that it is there. */
  // oxlint-disable-next-line eslint/complexity -- one rule a line, in the order of their text
  maySee(holder: Holder, table: string, id: number): boolean {
    const row = this.#mirror.row(table, id)
    if (!row) return false
    const place = placeOf(this.#mirror, table, row)
    // Where an install was seen, which names nobody.
    if (table === 'sites') return place.developer === holder.developerId
    // Events of the team tell of its members by their ids.
    if (table === 'members') return place.developer === holder.developerId
    if (table === 'developers') return this.#isOfTeam(holder, id)
    // The audit log names the logins of the team.
    if (table === 'sessions') return this.#isOfTeam(holder, Number(row['person_id']))
    if (table === 'stores' && holder.side !== 'account') return isStoreOf(this.#mirror, holder, id)
    switch (holder.side) {
      case 'account':
        return place.developer === holder.developerId
      case 'store':
        return this.#inStore(holder, table, place)
      case 'product':
        return this.#inProduct(holder, table, place)
      case 'person':
        return this.#ofPerson(holder, table, place)
      case 'own':
        return this.#ofPair(holder, table, place)
      case 'public':
      case 'nobody':
        return isForSale(holder, table, row) || this.#named(holder, table, place)
    }
  }

  #isOfTeam(holder: Holder, id: number): boolean {
    if (id === holder.developerId) return true
    const isMember = (row: Row) => row['developer_id'] === holder.developerId && row['person_id'] === id
    return holder.side === 'account' && this.#mirror.rows('members').some(isMember)
  }

  #inStore(holder: Holder, table: string, place: Place): boolean {
    if (place.store === holder.storeId) return true
    // What is of a product is its store's, whatever other store it names.
    const product = this.#mirror.row('products', place.product ?? 0)
    if (product && number(product, 'store_id') === holder.storeId) return true
    if (place.developer !== holder.developerId || place.store !== undefined) return false
    if (table !== 'users' && table !== 'billing') return false
    const own = this.#mirror.rows('products').filter((row) => row['store_id'] === holder.storeId)
    return own.some((row) => this.#mirror.isUserOf(Number(row['id']), place.user ?? 0))
  }

  #inProduct(holder: Holder, table: string, place: Place): boolean {
    const { productId = 0 } = holder
    if (place.product === productId || this.#isAddonOf(productId, place.product)) return true
    const family = this.#mirror.familyOf(productId)
    if (table === 'users') return [...family].some((id) => this.#mirror.isUserOf(id, place.user ?? 0))
    if (this.#isOffered(holder, table, place)) return true
    if (table === 'billing') return [...family].some((id) => this.#mirror.isUserOf(id, place.user ?? 0))
    // A license of the product that a bundle's opened, and the other way round, names it.
    return table === 'licenses' && place.product !== undefined && family.has(place.product)
  }

  #isAddonOf = (productId: number, id: number | undefined): boolean =>
    id !== undefined && number(this.#mirror.row('products', id), 'parent_plugin_id') === productId

  /** The catalogue of the family, and the coupons of the store. */
  #isOffered(holder: Holder, table: string, place: Place): boolean {
    if (!CATALOGUE.has(table)) return false
    if (place.product === undefined) return place.store === storeOf(this.#mirror, holder)
    return this.#isInFamily(holder, place.product)
  }

  /** Whether a product is of the family of the holder's, which is each of its person's where that has signed in. */
  #isInFamily({ productId = 0, userId = 0, isSignedIn }: Holder, id: number): boolean {
    const own = isSignedIn ? this.#mirror.productsOf(userId) : [productId]
    return own.some((one) => this.#mirror.familyOf(one).has(id))
  }

  /** The license of another whose key a person has shown, or that is on an install of its own. */
  #isKnown(holder: Holder, licenseId: number): boolean {
    const isOn = (row: Row) => row['user_id'] === holder.userId && row['license_id'] === licenseId
    return this.licensesOf(holder).has(licenseId) || this.#mirror.rows('installs').some(isOn)
  }

  isOwned = ({ userId }: Holder, licenseId = 0): boolean =>
    userId !== undefined && number(this.#mirror.row('licenses', licenseId), 'user_id') === userId

  #isKnownOwner(holder: Holder, userId: number): boolean {
    const isOf = (row: Row) => row['user_id'] === userId && this.#isKnown(holder, Number(row['id']))
    return this.#mirror.rows('licenses').some(isOf)
  }

  #ofPerson(holder: Holder, table: string, place: Place): boolean {
    if (this.#isOffered(holder, table, place)) return true
    if (table !== 'installs' && this.#isKnown(holder, place.license ?? 0)) return true
    if (SOLD.has(table) && this.isOwned(holder, place.license)) return true
    if (table === 'users' && this.#isKnownOwner(holder, place.user ?? 0)) return true
    if (place.user !== holder.userId) return false
    return place.product === undefined || this.#isInFamily(holder, place.product)
  }

  /** The licenses shown or on an install of its own, with what they opened. */
  licensesOf({ licenses, installs }: Holder): ReadonlySet<number> {
    const on = [...installs].map((id) => number(this.#mirror.row('installs', id), 'license_id'))
    const shown = new Set([...licenses, ...on.filter((id) => id !== undefined)])
    const opened = this.#mirror
      .rows('licenses')
      .filter((row) => shown.has(Number(row['parent_license_id'] ?? 0)))
      .map((row) => Number(row['id']))
    return new Set([...shown, ...opened])
  }

  // oxlint-disable-next-line eslint/complexity -- one rule a line, in the order of their text
  #ofPair(holder: Holder, table: string, place: Place): boolean {
    if (this.#isOffered(holder, table, place)) return true
    if (table === 'users')
      return place.user === holder.userId || this.#ownersNamed(holder).has(place.user ?? 0)
    if (table === 'licenses') return this.#mayName(holder, place.license ?? 0)
    if (table === 'user_key_billing') return place.user === holder.userId
    if (table === 'events' || table === 'installs') return holder.installs.has(place.install ?? 0)
    const isOn = place.install !== undefined && holder.installs.has(place.install)
    const isOf = place.license !== undefined && this.licensesOf(holder).has(place.license)
    return isOn || isOf
  }

  /** A license that was opened by a bundle's names that one. */
  #mayName(holder: Holder, id: number): boolean {
    const shown = this.licensesOf(holder)
    if (shown.has(id)) return true
    return [...shown].some((one) => number(this.#mirror.row('licenses', one), 'parent_license_id') === id)
  }

  /** Who proves nothing reaches what it names by its keys. */
  #named(holder: Holder, table: string, place: Place): boolean {
    if (this.#isOffered(holder, table, place)) return true
    if (table === 'reviews')
      return place.product === holder.productId || this.#isAddonOf(holder.productId ?? 0, place.product)
    if (place.user !== undefined && place.user === holder.buyer) return true
    if (table === 'users') return this.#ownersNamed(holder).has(place.user ?? 0)
    return table !== 'events' && this.#ofPair(holder, table, place)
  }

  #ownersNamed(holder: Holder): ReadonlySet<number> {
    const rows = [
      ...[...this.licensesOf(holder)].map((id) => this.#mirror.row('licenses', id)),
      ...[...holder.installs].map((id) => this.#mirror.row('installs', id)),
      ...this.#mirror
        .rows('payments')
        .filter((row) => this.licensesOf(holder).has(Number(row['license_id'] ?? 0))),
    ]
    return new Set(rows.map((row) => number(row, 'user_id')).filter((id) => id !== undefined))
  }

  /** Whether a holder may be told a secret of a row. */
  // oxlint-disable-next-line eslint/complexity -- one rule a line, in the order of their text
  mayKnow(holder: Holder, { table, id }: Secret): boolean {
    const isSeller = ['account', 'store', 'product'].includes(holder.side)
    const hidden = this.#hiddenFrom(holder)
    if (table === 'licenses') {
      const isOwn = holder.side !== 'own' || this.licensesOf(holder).has(id)
      return isOwn && !hidden?.includes('license keys') && this.maySee(holder, table, id)
    }
    if (hidden) return this.#mayRoleKnow(holder, hidden, { table, id })
    switch (table) {
      case 'installs':
        return this.maySee(holder, table, id) && this.#mayOpen(holder, id)
      case 'user_keys':
        return this.#mayHold(holder, id)
      case 'product_users':
        return holder.side === 'person' ? id === holder.userId : isSeller && this.maySee(holder, 'users', id)
      case 'products':
      case 'stores':
        return isSeller && this.maySee(holder, table, id)
      case 'developers':
        return holder.side === 'account' && id === holder.developerId
      case 'bank_accounts':
      case 'webhooks':
        return isSeller && this.maySee(holder, table, id)
      default:
        return false
    }
  }

  /** The secret of a listener that is sent what the role may see alone; else what anybody has by a key that it shows. */
  #mayRoleKnow(holder: Holder, hidden: readonly string[], { table, id }: Secret): boolean {
    if (table === 'user_keys') return this.#mayHold(holder, id)
    if (table === 'installs') return this.#mayOpen(holder, id)
    if (table !== 'webhooks' || !this.maySee(holder, table, id)) return false
    const kept = String(this.#mirror.row(table, id)?.['hides']).split(',')
    return hidden.every((name) => kept.includes(name))
  }

  /** What the role that a member has now may not see; undefined where the holder is none, or an admin. */
  #hiddenFrom({ memberId, developerId }: Holder): readonly string[] | undefined {
    if (memberId === undefined) return undefined
    const member = this.#mirror
      .rows('members')
      .find((row) => row['developer_id'] === developerId && row['person_id'] === memberId)
    return HIDDEN_FROM[member?.['role'] as keyof typeof HIDDEN_FROM]
  }

  /** A pair is of its install, and of whoever reaches all of its user. */
  #mayHold(holder: Holder, id: number): boolean {
    const pair = this.#mirror.row('user_keys', id)
    if (!pair || (pair['reach'] !== 'own' && holder.side !== 'person')) return false
    if (holder.side === 'person') return pair['user_id'] === holder.userId
    const install = number(pair, 'install_id')
    if (install === undefined) return holder.side === 'own' && holder.licenses.size > 0
    return holder.installs.has(install) && this.#mayOpen(holder, install)
  }

  /** Whether one of these licenses, whose keys were shown, runs on an install or was shown to its pair. */
  isOpenedBy(licenses: ReadonlySet<number>, install: Row): boolean {
    const pairs = this.#mirror.rows('user_keys').filter((row) => row['install_id'] === install['id'])
    const parentOf = (id: number) => number(this.#mirror.row('licenses', id), 'parent_license_id')
    const isOf = (id: number) =>
      install['license_id'] === id || pairs.some((row) => this.#mirror.isShownTo(Number(row['id']), id))
    return [...licenses].some((id) => isOf(id) || isOf(parentOf(id) ?? 0))
  }

  /** Who shows a key has what was handed out before for an install that it names where the key opens that. */
  #mayOpen({ opened }: Holder, installId: number): boolean {
    return opened === undefined || opened.has(installId)
  }

  /** Whether a holder may be told an amount of a row. */
  mayCount(holder: Holder, table: string, id: number): boolean {
    if (this.#hiddenFrom(holder)?.includes('sales')) return false
    if (table === 'users') return holder.side !== 'own' && this.maySee(holder, table, id)
    return this.maySee(holder, table, id) || (table === 'payments' && this.#isSpentAt(holder, id))
  }

  /** What was paid for a person's own install counts in its gross, also for a license that it has no more. */
  #isSpentAt(holder: Holder, paymentId: number): boolean {
    const row = this.#mirror.row('payments', paymentId)
    const install = number(row, 'install_id') ?? 0
    const hadIt = this.#mirror.hasRun(install, number(row, 'license_id') ?? 0)
    return holder.side === 'person' && hadIt && this.maySee(holder, 'installs', install)
  }

  /** Whether a holder may be told the address of a user. */
  mayMail(holder: Holder, userId: number): boolean {
    if (['own', 'nobody', 'public'].includes(holder.side)) return false
    return this.maySee(holder, 'users', userId)
  }

  /** Whether a holder may write a row: as it was, and as it becomes. */
  mayWrite(holder: Holder, { table, row, before }: Touch): boolean {
    return [before, row].every((one) => one === undefined || this.#isIts(holder, table, one))
  }

  // oxlint-disable-next-line eslint/complexity -- one rule a line, in the order of their text
  #isIts(holder: Holder, table: string, row: Row): boolean {
    const place = placeOf(this.#mirror, table, row)
    // Whoever is invited to a team is a person of its own.
    if (table === 'developers') return true
    const isTenant = place.developer === undefined || place.developer === holder.developerId
    if (!isTenant && holder.side !== 'nobody') return false
    // The name of a person is told in every product that it is a user of.
    if (table === 'product_users' && ['product', 'store'].includes(holder.side)) {
      return this.maySee(holder, 'users', place.user ?? 0)
    }
    switch (holder.side) {
      case 'store':
        return place.store === undefined || place.store === holder.storeId
      case 'product':
        return place.product === undefined || this.#mirror.familyOf(holder.productId ?? 0).has(place.product)
      case 'person':
        return (
          place.user === undefined ||
          place.user === holder.userId ||
          this.#isKnown(holder, place.license ?? 0)
        )
      case 'own':
        return PERSONAL.has(table) ? this.#mayChange(holder, table, place) : true
      default:
        return true
    }
  }

  #mayChange(holder: Holder, table: string, place: Place): boolean {
    if (this.licensesOf(holder).has(place.license ?? 0)) return true
    if (place.user !== undefined && place.user !== holder.userId) return false
    return table === 'billing' ? false : this.#ofPair(holder, table, place)
  }
}
