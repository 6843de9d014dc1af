import type { Reader, Writer } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import { ofBuyer, uidOfBuyer, type Buyer, type Converting } from './buyer-trial-rows.ts'

/** The trial of a checkout that a buyer is on, or that is over and not paid yet. */
export async function findTrialOfBuyer(db: Reader, { productId, emailFolded, userId, environment }: Buyer) {
  const held = { productId, emailFolded, userId, environment, uid: uidOfBuyer(environment) }
  const [found] = await (userId === null ? trialOfAddress : trialOfUser)(db, held)
  return found
}

type HeldBuyer = Buyer & { readonly uid: string }

const trialOf = (db: Reader, { productId, emailFolded, userId, environment, uid }: HeldBuyer) =>
  ofBuyer(db, { productId, emailFolded, userId, environment })
    .select(['trials.subscription_id', 'trials.license_id'])
    .where('trials.uid', '=', uid)
    .where('trials.converted_at', 'is', null)
    .where('trials.canceled_at', 'is', null)

const trialOfAddress = prepared((db: Reader, held: HeldBuyer) =>
  trialOf(db, { ...known(held), userId: null }),
)
const trialOfUser = prepared((db: Reader, held: HeldBuyer) =>
  trialOf(db, { ...known(held), userId: held.userId }),
)

/** Of placeholders, which cannot be spread. */
const known = ({ productId, emailFolded, environment, uid }: HeldBuyer) => ({
  productId,
  emailFolded,
  environment,
  uid,
})

interface Purchased extends Omit<Converting, 'subscriptionId'> {
  readonly productId: number
  readonly userId: number
  readonly environment: Environment
}

/** Notes by which payment a buyer's trial of a checkout was converted, when it runs or is about to be paid; once. */
export async function convertTrialOfBuyer(db: Writer, { environment, ...purchased }: Purchased) {
  const [converted] = await convertingOfBuyer(db, { ...purchased, uid: uidOfBuyer(environment) })
  return converted
}

type Converted = Omit<Purchased, 'environment'> & { readonly uid: string }

const convertingOfBuyer = prepared((db: Writer, held: Converted) =>
  unscoped(db, 'the trial of a buyer, in the product that is bought')
    .updateTable('trials')
    .set({ converted_at: held.now, payment_id: held.paymentId, notice_at: null, updated: held.updated })
    .where('product_id', '=', held.productId)
    .where('user_id', '=', held.userId)
    .where('uid', '=', held.uid)
    .where('converted_at', 'is', null)
    .where('canceled_at', 'is', null)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('notice_at', 'is not', null),
        exists(
          selectFrom('subscriptions')
            .select('subscriptions.id')
            .whereRef('subscriptions.id', '=', 'trials.subscription_id')
            .where('subscriptions.canceled_at', 'is', null),
        ),
      ]),
    )
    .returningAll(),
)
