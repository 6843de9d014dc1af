import type { Clock } from '../lib/clock.ts'
import type { Keyring } from '../lib/keyring.ts'
import { goOn, type Soon } from '../lib/soon.ts'
import type { Reader } from './database.ts'
import { prepared } from './prepared.ts'
import type { KeyOwner } from './tables/former-keys.ts'

/** Where the secret keys are sealed that were replaced. */
export const FORMER_PLACE = 'former_keys.secret_key'

const findFormerKeys = prepared(
  (db: Reader, { owner, id, now }: { owner: KeyOwner; id: number; now: number }) =>
    db
      .selectFrom('former_keys')
      .select('secret_key')
      .where('owner', '=', owner)
      .where('owner_id', '=', id)
      .where('until_ms', '>', now)
      .orderBy('id', 'desc'),
)

/**
 * The secret keys of a developer, store or product that were replaced and are in their overlap, the latest first
 * (`docs/decisions.md` 3.16). It is asked only when the present one does not fit.
 */
export const formerSecrets = (
  { db, keys, clock }: { readonly db: Reader; readonly keys: Keyring; readonly clock: Clock },
  owner: KeyOwner,
  id: number,
): Soon<string[]> =>
  goOn(findFormerKeys(db, { owner, id, now: clock.real() }), (rows) =>
    rows.map(({ secret_key: sealed }) => keys.open(sealed, FORMER_PLACE)),
  )
