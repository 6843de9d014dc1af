import { Type, type Static } from '../../lib/type.ts'
import { Arguments, IdText, Nullable, Optional, SecretText, Time } from '../../http/wire.ts'
import type { KeyOwner } from '../../db/tables/former-keys.ts'

/** Whose keys: a row of one of the three tables that have them. */
export interface KeyHolder {
  readonly owner: KeyOwner
  readonly id: number
  /** Whose account it must belong to; null: the command line names it. */
  readonly developerId: number | null
}

/** How long a former secret key goes on, hours; at most 7 days (`docs/decisions.md` 3.16). */
export const OVERLAP_HOURS = { least: 0, most: 168, usual: 24 } as const

export const Renewal = Arguments({
  overlap_hours: Type.Integer({
    minimum: OVERLAP_HOURS.least,
    maximum: OVERLAP_HOURS.most,
    default: OVERLAP_HOURS.usual,
    description: 'How long the secret key so far goes on; 0: it ends at once, and all earlier ones with it.',
  }),
  current_password: Optional(SecretText({ description: 'Needed with a session: the password, again.' })),
})
export type Renewal = Static<typeof Renewal>

/** The keys of a developer, store or product as they are. */
export const ShownKeys = Type.Object(
  { id: IdText(), public_key: Type.String(), secret_key: Type.String() },
  { title: 'ShownKeys' },
)
export type ShownKeys = Static<typeof ShownKeys>

/** The keys of a developer, store or product after their renewal. */
export const RenewedKeys = Type.Object(
  {
    id: IdText(),
    public_key: Type.String({ description: 'As it was: it stands in what was shipped, and opens nothing.' }),
    secret_key: Type.String(),
    /** When the secret key so far ends; null: it has. */
    former_until: Nullable(Time()),
  },
  { title: 'RenewedKeys' },
)
export type RenewedKeys = Static<typeof RenewedKeys>
