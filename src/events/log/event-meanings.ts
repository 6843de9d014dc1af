import type { EventType } from '../../db/tables/event-types.ts'
import type { EventTypes } from './schema.ts'

/** When an event is recorded, the names in its `data`, and the kinds of its `objects`, all with commas between them. */
type Row = readonly [when: string, data: string, objects: string]

const change = 'from, to'
const ofInstall = (when: string, data = change): Row => [when, `install_id, ${data}`, 'install, user']
const ofLicense = (when: string, data = '', objects = 'license, user'): Row => [
  when,
  ['license_id', data].filter((part) => part !== '').join(', '),
  objects,
]
const ofCart = (when: string, data = ''): Row => [
  when,
  ['cart_id', data].filter((part) => part !== '').join(', '),
  'cart, user',
]
const ofRenewal = (when: string, data = ''): Row => [
  when,
  `subscription_id, license_id, attempt, attempts${data}`,
  'subscription, license, install, user',
]
const ofTrial = (when: string, objects = 'license, install, user'): Row => [
  when,
  'trial_id, trial_plan_id, trial_ends, license_id',
  objects,
]
const ofDispute = (when: string, data = ''): Row => [
  when,
  ['payment_id, bound_payment_id', data].filter((part) => part !== '').join(', '),
  'payment, user',
]
const ofUser = (when: string, data = '', objects = 'user'): Row => [
  when,
  ['user_id', data].filter((part) => part !== '').join(', '),
  objects,
]
const ofVersion = (when: string, data = ''): Row => [
  when,
  ['tag, version, release_mode', data].filter((part) => part !== '').join(', '),
  '',
]
const ofDownload = (when: string, objects = 'install, user'): Row => [when, 'tag, version', objects]
const ofSwitch = (what: string): Row => [what, 'install_id', 'install, user']

/** The types that this server records; of the others it knows the name, for those who filter by it. */
export const RECORDED: Readonly<Partial<Record<EventType, Row>>> = {
  'card.created': ['A card or account is kept for later payments', 'card_id, user_id', 'card, user'],
  'card.updated': [
    'Another card or account takes the place of that of a license',
    'card_id, user_id',
    'card, user',
  ],
  'cart.created': ofCart('Somebody begins to buy'),
  'cart.updated': ofCart('What is in a cart changes', change),
  'cart.completed': ofCart('The checkout is completed; no proof of a payment'),
  'cart.recovered': ofCart('A cart that was left is completed'),
  'cart.abandoned': ofCart('A cart was left'),
  'cart.recovery.email_1_sent': ofCart('The first mail about a cart that was left is sent'),
  'cart.recovery.email_2_sent': ofCart('The second mail about a cart that was left is sent'),
  'cart.recovery.email_3_sent': ofCart('The third mail about a cart that was left is sent'),
  'cart.recovery.deactivated': ofCart('The seller stops the mails to a cart'),
  'cart.recovery.reactivated': ofCart('The seller lets the mails to a cart go on'),
  'cart.recovery.unsubscribed': ofCart('The buyer wants no more mails about carts'),
  'coupon.created': ['A coupon is created', 'coupon_id', ''],
  'coupon.updated': ['A coupon or what it is special for changes', 'coupon_id, from, to', ''],
  'coupon.deleted': ['A coupon is deleted', 'coupon_id', ''],
  'export.created': ['A list is to be written to a file', 'export_id, kind', ''],
  'export.completed': ['A list is written to a file', 'export_id, kind, rows', ''],
  'import.finished': [
    'What another server or files have was brought into the account; of its rows no event tells',
    'import_id, source, added, changed, kept',
    '',
  ],
  'install.installed': ofSwitch('An install is seen for the first time; before `install.activated`'),
  'install.activated': ofInstall('An install runs; `from` and `to` where it was switched off'),
  'install.deactivated': ofInstall('An install is switched off'),
  'install.connected': ofInstall(
    'The site of an install connects with a person; `from` and `to` where it was disconnected',
  ),
  'install.disconnected': ofInstall('An install disconnects from its person'),
  'install.uninstalled': ofInstall('An install is removed from its site'),
  'install.deleted': ofSwitch('An install is deleted; `objects.install` is false'),
  'install.updated': ofInstall('Something of an install changes that has no event of its own'),
  'install.title.updated': ofInstall('The title of an install changes'),
  'install.url.updated': ofInstall('The address of an install changes'),
  'install.language.updated': ofInstall('The language of an install changes'),
  'install.version.upgraded': ofInstall('The version of an install goes up'),
  'install.version.downgrade': ofInstall('The version of an install goes down'),
  'install.sdk.version.updated': ofInstall('The version of the client library of an install changes'),
  'install.platform.version.updated': ofInstall('The version of the platform of an install changes'),
  'install.programming_language.version.updated': ofInstall(
    'The version of the programming language of an install changes',
  ),
  'install.premium.activated': ofInstall('The paid build is switched on at an install'),
  'install.premium.deactivated': ofInstall('The paid build is switched off at an install'),
  'install.plan.changed': [
    'An install has another plan',
    'license_id, install_id, from, to',
    'license, install, user',
  ],
  'install.plan.downgraded': ofInstall(
    'An install goes back to the free plan',
    'from, to, reason_ids, reason',
  ),
  'install.trial.started': ofTrial('An install begins to try a plan'),
  'install.trial.extended': ofInstall('The trial of an install ends later'),
  'install.trial.plan.updated': ofInstall('An install tries another plan'),
  'install.trial.cancelled': [
    'The trial of an install is cancelled',
    'trial_plan_id, days_after, reason_ids, reason',
    'install, user',
  ],
  'install.trial.expired': ofTrial('The trial of an install is over'),
  'install.trial_expiring_notice.sent': ofTrial('The user is told that the trial of an install ends soon'),
  'install.extensions.opt_in': ofSwitch('An install may tell of other extensions'),
  'install.extensions.opt_out': ofSwitch('An install may not tell of other extensions'),
  'install.site.opt_in': ofSwitch('An install may tell of its site'),
  'install.site.opt_out': ofSwitch('An install may not tell of its site'),
  'install.user.opt_in': ofSwitch('An install may tell of its user'),
  'install.user.opt_out': ofSwitch('An install may not tell of its user'),
  'install.ownership.initiated': ofInstall(
    'Somebody asks to give an install to another user, named by an id or an address',
    'user_id, email',
  ),
  'install.ownership.owner.confirmed': ofSwitch('The owner of an install agrees to give it away'),
  'install.ownership.candidate.confirmed': ofSwitch('The next owner of an install agrees to take it'),
  'install.ownership.completed': ofInstall('An install belongs to another user'),
  'license.created': ofLicense('A license is created', 'expiration'),
  'license.activated': ofLicense(
    'A license is put on an install, or its plan there changes at a checkout',
    'install_id',
    'license, install, user',
  ),
  'license.deactivated': ofLicense(
    'A license is taken off an install',
    'install_id',
    'license, install, user',
  ),
  'license.updated': ofLicense(
    'Something of a license changes that has no event of its own; `site` where the rule for a local site does',
    'from, to, site',
  ),
  'license.plan.changed': ofLicense(
    'A license has another plan',
    'from_plan_id, to_plan_id, from_pricing_id, to_pricing_id',
  ),
  'license.quota.changed': ofLicense('The quota of a license changes', change),
  'license.key.rotated': ofLicense('A license has another key; the one before opens nothing any more'),
  'license.extended': ofLicense(
    'A license ends later; `is_renewal` where a renewal is why',
    'from, to, is_renewal',
  ),
  'license.shortened': ofLicense('A license ends sooner', change),
  'license.expired': ofLicense('A license has ended'),
  'license.expired_notice.sent': ofLicense('The user is told that a license has ended'),
  'license.renewal_reminder.sent': ofLicense('The user is told that a license ends soon'),
  'license.trial_expiring_notice.sent': ofTrial(
    'The user is told that the trial of a license ends soon',
    'license, user',
  ),
  'license.cancelled': ofLicense('A license is cancelled'),
  'license.deleted': ofLicense('A license is deleted; `objects.license` is false'),
  'license.ownership.changed': ofLicense('A license belongs to another user', change),
  'license.site.whitelisted': ofLicense('A site may use a license', 'site'),
  'license.site.blacklisted': ofLicense('A site may not use a license', 'site'),
  'license.whitelisted_site.deleted': ofLicense(
    'The rule that a site may use a license is taken away',
    'site',
  ),
  'license.blacklisted_site.deleted': ofLicense(
    'The rule that a site may not use a license is taken away',
    'site',
  ),
  'member.created': ['Somebody is invited to the team', 'member_id, role', ''],
  'member.updated': ['The role of a member of the team changes', 'member_id, role, from, to', ''],
  'member.deleted': ['A member is removed from the team', 'member_id, role', ''],
  'payment.created': [
    'A payment, also of a renewal',
    'payment_id, license_id',
    'payment, license, install, user',
  ],
  'payment.refund': [
    'A refund; `is_failed` when it came back',
    'payment_id, bound_payment_id, is_failed',
    'payment, install, user',
  ],
  'payment.dispute.created': ofDispute(
    'A payment is disputed; `is_raised` when more of it is booked (`docs/ledger.md`)',
    'is_raised',
  ),
  'payment.dispute.closed': ofDispute('A dispute is over; after one that says whether it is won or lost'),
  'payment.dispute.lost': ofDispute(
    'A dispute is lost; `is_raised` when more of it is booked (`docs/ledger.md`)',
    'is_raised',
  ),
  'payment.dispute.won': ofDispute('A dispute is won'),
  'plan.created': ['A plan is created', 'plan_id', ''],
  'plan.updated': ['A plan changes', 'plan_id, from, to', ''],
  'plan.deleted': ['A plan is deleted', 'plan_id', ''],
  'plan.lifetime.purchase': [
    'A plan is bought for good',
    'payment_id, license_id, plan_id',
    'payment, license, install, user',
  ],
  'pricing.created': ['A price is created', 'pricing_id, plan_id', ''],
  'pricing.updated': ['A price changes', 'pricing_id, plan_id, from, to', ''],
  'pricing.deleted': ['A price is deleted', 'pricing_id, plan_id', ''],
  'addon.free.downloaded': ofDownload('The free build of a version of an add-on is downloaded', 'user'),
  'addon.premium.downloaded': ofDownload('The premium build of a version of an add-on is downloaded', 'user'),
  'plugin.free.downloaded': ofDownload('The free build of a version of another product is downloaded'),
  'plugin.premium.downloaded': ofDownload('The premium build of a version of another product is downloaded'),
  'plugin.version.deployed': ofVersion('A version is uploaded', 'file'),
  'plugin.version.updated': ofVersion('A version changes'),
  'plugin.version.released': ofVersion('A version is released'),
  'plugin.version.beta.released': ofVersion('A version is released for those who want betas'),
  'plugin.version.release.suspended': ofVersion('The release of a version is taken back'),
  'plugin.version.deleted': ofVersion('A version is deleted'),
  'review.created': ['A review is written', 'review_id', ''],
  'review.updated': ['A review changes', 'review_id, from, to', ''],
  'review.deleted': ['A review is deleted', 'review_id', ''],
  'store.created': ['A store is created', 'store_id', ''],
  'store.url.updated': ['The address of a store changes', 'store_id, from, to', ''],
  'store.dashboard_url.updated': [
    'The address of the dashboard of a store changes',
    'store_id, from, to',
    '',
  ],
  'store.plugin.added': ['A product is added to a store', 'store_id, plugin_id', ''],
  'subscription.created': [
    'A subscription begins',
    'subscription_id, license_id',
    'subscription, license, install, user',
  ],
  'subscription.cancelled': [
    'A subscription is cancelled, also when its last renewal failed',
    'subscription_id, license_id, reason_ids, reason',
    'subscription, license, install, user',
  ],
  'subscription.resumed': [
    'A subscription was cancelled, and goes on after all',
    'subscription_id, license_id, next_payment',
    'subscription, license, install, user',
  ],
  'subscription.renewal.failed': ofRenewal('An attempt at a renewal fails', ', reason'),
  'subscription.renewal.failed.last': ofRenewal('The last attempt at a renewal fails', ', reason'),
  'subscription.renewal.failed_email.sent': ofRenewal('The buyer is told that a renewal has failed'),
  'subscription.renewal.retry': ofRenewal('A renewal is tried again'),
  'subscription.renewal_reminder.sent': [
    'The buyer of a year is told of the renewal',
    'subscription_id, license_id',
    'subscription, license, install, user',
  ],
  'subscription.periods.skipped': [
    'A renewal was found late, and periods that were over by then are left out',
    'subscription_id, license_id, from, to, periods',
    'subscription, license, install, user',
  ],
  'subscription.renewals.discounted': [
    'A coupon is taken off renewals',
    'subscription_id, coupon_id',
    'subscription, user',
  ],
  'user.created': ofUser('A user is created; not by a migration'),
  'user.erased': ofUser('A person is erased from all products of the seller; nobody is told who it was'),
  'user.name.changed': ofUser('The name of a user changes', change),
  'user.email.changed': ofUser('Another e-mail address of a user is confirmed', change),
  'user.email.verified': ofUser('The e-mail address of a user is proven', 'email'),
  'user.email_status.bounced': ofUser('Mail to a user comes back', 'email, email_status'),
  'user.email_status.delivered': ofUser('Mail to a user arrives again', 'email, email_status'),
  'user.email_status.dropped': ofUser('Mail to a user is not taken', 'email, email_status'),
  'user.billing.updated': ofUser('The billing address of a user changes', 'fields'),
  'user.billing.tax_id.updated': ofUser('The tax id of a user changes', change),
  'user.beta_program.opted_in': ofUser(
    'The user wants betas, for all or for an install',
    `install_id, ${change}`,
    'install, user',
  ),
  'user.beta_program.opted_out': ofUser(
    'The user wants no more betas, for all or for an install',
    `install_id, ${change}`,
    'install, user',
  ),
  'user.marketing.opted_in': ofUser('The user agrees to marketing'),
  'user.marketing.opted_out': ofUser('The user does not agree to marketing'),
  'user.marketing.reset': ofUser('Whether the user agrees to marketing is not known any more'),
  'user.trial.started': ofTrial('The user begins to try a plan', 'license, user'),
  'webhook.created': ['A listener is added', 'webhook_id', ''],
  'webhook.updated': [
    'A listener changes, is switched off by the server (`off_reason`), or is tried (`is_test`)',
    'webhook_id, is_active, off_reason, is_test',
    '',
  ],
  'webhook.deleted': ['A listener is removed', 'webhook_id', ''],
}

const namesIn = (cell: string): string[] => cell.split(', ').filter((name) => name !== '')

/** The types that are recorded, by what they are about, with their meanings as `docs/events.md` has them. */
export const eventTypes = (): EventTypes['event_types'] =>
  Object.entries(RECORDED).map(([type, [meaning, data, objects]]) => ({
    type,
    meaning,
    data: namesIn(data),
    objects: namesIn(objects),
  }))
