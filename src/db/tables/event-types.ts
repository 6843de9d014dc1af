/** Who caused an event (`docs/decisions.md` 6.1). */
export const EVENT_TRIGGERS = ['system', 'developer', 'plugin', 'user', 'install'] as const
export type EventTrigger = (typeof EVENT_TRIGGERS)[number]

/** How an event stands with its listeners (`docs/decisions.md` 6.3). */
export const EVENT_STATES = ['processed', 'pending', 'canceled', 'error'] as const

/**
 * Every type of event by entity (`docs/interface.md` 11.2). Nothing outside this table
 * can be recorded.
 */
const ACTIONS = {
  affiliate:
    'approved blocked created deleted payout.pending paypal.updated rejected suspended unapproved updated',
  card: 'created updated',
  cart: 'abandoned completed created recovered recovery.deactivated recovery.email_1_sent recovery.email_2_sent recovery.email_3_sent recovery.reactivated recovery.subscribed recovery.unsubscribed updated',
  coupon: 'created deleted updated',
  email: 'clicked opened',
  export: 'completed created',
  import: 'finished',
  install:
    'activated deactivated deleted connected disconnected installed uninstalled updated language.updated plan.changed plan.downgraded platform.version.updated premium.activated premium.deactivated programming_language.version.updated sdk.version.updated title.updated url.updated version.upgraded version.downgrade trial.started trial.cancelled trial.expired trial.extended trial.plan.updated trial_expiring_notice.sent extensions.opt_in extensions.opt_out site.opt_in site.opt_out user.opt_in user.opt_out ownership.initiated ownership.owner.confirmed ownership.candidate.confirmed ownership.completed',
  license:
    'activated deactivated created updated deleted cancelled expired expired_notice.sent extended shortened ownership.changed quota.changed key.rotated renewal_reminder.sent trial_expiring_notice.sent site.blacklisted blacklisted_site.deleted site.whitelisted whitelisted_site.deleted plan.changed',
  member: 'created deleted updated',
  payment: 'created refund dispute.created dispute.closed dispute.lost dispute.won',
  plan: 'created deleted updated lifetime.purchase',
  pricing: 'created deleted updated visit',
  review: 'created deleted requested updated',
  store: 'created dashboard_url.updated deleted plugin.added plugin.removed url.updated',
  subscription:
    'created cancelled resumed renewal_reminder.sent renewal_reminder.opened renewal.failed renewal.failed.last renewal.failed_email.sent renewal.retry renewals.discounted periods.skipped',
  user: 'beta_program.opted_in beta_program.opted_out billing.updated billing.tax_id.updated card.created created email.changed email.verified email_status.bounced email_status.delivered email_status.dropped erased marketing.opted_in marketing.opted_out marketing.reset name.changed support.contacted trial.started',
  webhook: 'created deleted updated',
  addon: 'free.downloaded premium.downloaded',
  plugin:
    'free.downloaded premium.downloaded version.deployed version.released version.beta.released version.release.suspended version.updated version.deleted',
} as const

type Split<S extends string> = S extends `${infer Head} ${infer Tail}` ? Head | Split<Tail> : S
type Actions = typeof ACTIONS

/** `user.created`, `license.activated`, … */
export type EventType = { [E in keyof Actions]: `${E}.${Split<Actions[E]>}` }[keyof Actions]

/** Of what is either live or of the sandbox. */
type PlacedType = Extract<
  EventType,
  | `${'card' | 'cart' | 'install' | 'license' | 'payment' | 'subscription'}.${string}`
  | 'plan.lifetime.purchase'
  | 'user.trial.started'
>

/** Of what belongs to both, as a person and a plan do. */
export type SharedType = Exclude<EventType, PlacedType>

/** The table as a list, for documents, filters and tests. */
export const EVENT_TYPES: readonly EventType[] = Object.entries(ACTIONS).flatMap(([entity, actions]) =>
  actions.split(' ').map((action) => `${entity}.${action}` as EventType),
)

const ENTITIES = new Set(Object.keys(ACTIONS))
const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)

/** Whether it is a type of the table. */
export const isEventType = (name: string): boolean => KNOWN.has(name)

/** Whether a name begins as those of the table do; what a client calls an event does not. */
export const beginsAsOurs = (name: string): boolean => ENTITIES.has(name.toLowerCase().split('.')[0] ?? '')

/** Whether text names types of events, ours or those of clients, with commas between them; it may name none. */
export const isTypeList = (text: string): boolean =>
  text.split(',').every((name) => /^ *(?:[\w-]+(?:\.[\w-]+)* *)?$/.test(name))
