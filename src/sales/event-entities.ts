import type { EntitiesOfEvents, EntityLookup } from '../events/hooks.ts'
import { findInstalls } from '../licensing/installs/install-rows.ts'
import { presentInstall } from '../licensing/installs/schema.ts'
import { findLicenses } from '../licensing/licenses/license-rows.ts'
import { presentLicense } from '../licensing/licenses/schema.ts'
import { findUsers } from '../people/users/user-rows.ts'
import { presentEventUser } from '../people/users/schema.ts'
import { findCards } from './cards/card-rows.ts'
import { presentCard } from './cards/schema.ts'
import { findCarts } from './carts/cart-rows.ts'
import { presentCart } from './carts/schema.ts'
import { findPayments } from './payments/payment-rows.ts'
import { presentPayment } from './payments/schema.ts'
import { findSubscriptions } from './subscriptions/subscription-rows.ts'
import { presentSubscription } from './subscriptions/schema.ts'

/** The entities that events are about, one statement a kind however many there are. */
export const entitiesOfEvents: EntitiesOfEvents = ({ db, keys }, scope) => ({
  user: lookup(
    (ids) => findUsers(db, scope, ids),
    (row) => presentEventUser(row, scope),
  ),
  install: lookup(
    (ids) => findInstalls(db, scope, ids),
    (row) => presentInstall(row, null, scope),
  ),
  license: lookup(
    (ids) => findLicenses(db, scope, ids),
    (row) => presentLicense(row, keys),
  ),
  payment: lookup(
    (ids) => findPayments(db, scope, ids),
    (row) => presentPayment(row, scope),
  ),
  subscription: lookup(
    (ids) => findSubscriptions(db, scope, ids),
    (row) => presentSubscription(row, scope),
  ),
  card: lookup((ids) => findCards(db, scope, ids), presentCard),
  cart: lookup((ids) => findCarts(db, scope, ids), presentCart),
})

const lookup =
  <T extends { readonly id: number }>(
    find: (ids: readonly number[]) => Promise<readonly T[]>,
    present: (row: T) => object,
  ): EntityLookup =>
  async (ids) =>
    new Map(ids.length === 0 ? [] : (await find(ids)).map((row) => [row.id, present(row)]))
