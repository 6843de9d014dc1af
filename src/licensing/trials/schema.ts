import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { TrialsTable } from '../../db/tables/licenses.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  InEnvironment,
  Nullable,
  Optional,
  OverProducts,
  Paging,
  SecretText,
  Text,
  Time,
  Sorted,
} from '../../http/wire.ts'
import { idText } from '../../lib/id-text.ts'

export type TrialRow = Selectable<TrialsTable>

/** What events tell of a trial. */
export const dataOfTrial = ({
  id,
  plan_id: planId,
  trial_ends_at: trial_ends,
  license_id: licenseId,
}: Pick<TrialRow, 'id' | 'plan_id' | 'trial_ends_at' | 'license_id'>) => ({
  trial_id: String(id),
  trial_plan_id: String(planId),
  trial_ends,
  license_id: idText(licenseId),
})

const TRIAL_STATES = ['running', 'converted', 'cancelled', 'ended'] as const
export type TrialState = (typeof TRIAL_STATES)[number]

/** The contract's `Trial`. */
export const Trial = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    plugin_id: IdText(),
    user_id: IdText(),
    payment_id: Nullable(IdText()),
    subscription_id: Nullable(IdText()),
    license_id: Nullable(IdText()),
    trial_ends_at: Time(),
    with_payment_method: Type.Boolean(),
    canceled_at: Nullable(Time()),
    converted_at: Nullable(Time()),
    environment: Choice([0, 1]),
    plan_id: IdText('Ours, as the rest: what is tried.'),
    install_id: Nullable(IdText('Null: tried on no site.')),
    state: Choice(TRIAL_STATES, { description: 'Running, bought, cancelled, or over without either.' }),
  },
  { title: 'Trial' },
)
export type Trial = Static<typeof Trial>

/** What `extended` adds. */
export const ListedTrial = Type.Object(
  { ...Trial.properties, email: Optional(Type.String({ description: 'With extended.' })) },
  { title: 'TrialListed' },
)
export type ListedTrial = Static<typeof ListedTrial>

export const TrialId = Arguments({ trial_id: Id('ID of the trial.') })

export const TrialPlace = Arguments({
  install_id: Id('ID of the install.'),
  plan_id: Id('ID of the plan that is tried.'),
})

const time = (description: string) => Optional(Text({ max: 19, description }))

export const TrialStart = Arguments({
  trial_ends: time('Wanted end, `YYYY-MM-DD HH:MM:SS` in UTC, within the trial period of the plan.'),
  phone: Optional(Text({ max: 50, description: 'Phone of the billing address.' })),
  is_migration: Type.Boolean({
    default: false,
    description: 'The value true switches mails and events off.',
  }),
  trial_token: Optional(SecretText({ max: 64, description: 'Proof of a client in sandbox mode.' })),
  trial_timestamp: Optional(Text({ max: 20, description: 'Unix seconds that the proof is made with.' })),
})
export type TrialStart = Static<typeof TrialStart>

export const TrialCancel = Arguments({
  reason_ids: Optional(
    Text({ max: 100, format: 'ids', description: 'Reasons, 1 to 15, separated by commas.' }),
  ),
  reason: Optional(Text({ max: 1000, format: 'text', description: 'In words.' })),
  ...Fields,
})
export type TrialCancel = Static<typeof TrialCancel>

export const TrialList = Arguments({
  filter: Optional(Choice(TRIAL_STATES, { description: 'By state.' })),
  user_id: Optional(Id('Only of this user.')),
  license_id: Optional(Id('Only with this license.')),
  extended: Type.Boolean({ default: false, description: 'Adds the address of who tries.' }),
  from: time('Started at this time or later; UTC.'),
  to: time('Started at this time or earlier; UTC.'),
  ...Sorted,
  environment: InEnvironment,
  ...Paging,
  ...Fields,
})
export type TrialList = Static<typeof TrialList>

/** Of one user. */
export const UserTrialList = Arguments({
  filter: TrialList.properties.filter,
  environment: InEnvironment,
  ...Paging,
  ...Fields,
})
export type UserTrialList = Static<typeof UserTrialList>

/** Of an account: over its products. */
export const AccountTrialList = Arguments({ ...TrialList.properties, ...OverProducts })
export type AccountTrialList = Static<typeof AccountTrialList>

/** How a trial is: it runs until it is bought or cancelled, or until its end was noticed. */
const stateOf = (row: Pick<TrialRow, 'converted_at' | 'canceled_at' | 'notice_at'>): TrialState =>
  row.converted_at !== null
    ? 'converted'
    : row.canceled_at !== null
      ? 'cancelled'
      : row.notice_at !== null
        ? 'running'
        : 'ended'

export const presentTrial = (row: TrialRow): Trial => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  plugin_id: String(row.product_id),
  user_id: String(row.user_id),
  payment_id: idText(row.payment_id),
  subscription_id: idText(row.subscription_id),
  license_id: idText(row.license_id),
  trial_ends_at: row.trial_ends_at,
  with_payment_method: row.with_payment_method,
  canceled_at: row.canceled_at,
  converted_at: row.converted_at,
  environment: row.environment,
  plan_id: String(row.plan_id),
  install_id: idText(row.install_id),
  state: stateOf(row),
})
