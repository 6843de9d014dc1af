export interface Shown {
  /** After the account; `{product}` is that of the demo. */
  readonly path: string
  readonly title: RegExp
  /** What the page asks for, so that it can be kept waiting and refused. */
  readonly asks: string
  /** The name of the array in its reply, where it is a list that may be empty. */
  readonly items?: string
}

/** Every page of who is signed in, by the component that shows it. */
export const PAGES: Readonly<Record<string, Shown>> = {
  Home: { path: '', title: /^Home$/, asks: '/products.json', items: 'plugins' },
  Products: { path: 'products', title: /^Products$/, asks: '/products.json', items: 'plugins' },
  Tokens: { path: 'tokens', title: /^API tokens$/, asks: '/tokens.json', items: 'tokens' },
  Team: { path: 'team', title: /^Team$/, asks: '/members.json', items: 'members' },
  Profile: { path: 'profile', title: /^Profile$/, asks: '/sessions.json' },
  Bulks: { path: '{product}/bulk', title: /^Bulk actions$/, asks: '/bulk.json', items: 'bulks' },
  Exports: { path: 'exports', title: /^Exports$/, asks: '/exports.json', items: 'exports' },
  WholeAccount: {
    path: 'exports/account',
    title: /^The whole account$/,
    asks: '/exports.json',
    items: 'exports',
  },
  Imports: { path: 'imports', title: /^Imports$/, asks: '/imports.json', items: 'imports' },
  NewImport: { path: 'imports/new', title: /^New import$/, asks: '/imports.json' },
  Import: { path: 'imports/1', title: /^Import #1$/, asks: '/imports/1.json' },
  Audit: { path: 'audit', title: /^Audit log$/, asks: '/audit.json', items: 'entries' },
  Server: { path: 'server', title: /^Server$/, asks: '/server.json' },
  Mails: { path: '{product}/mails', title: /^Mails$/, asks: '/mails.json', items: 'mails' },
  Mail: { path: '{product}/mails/1', title: /^License$/, asks: '/mails/1.json' },
  MailTexts: { path: '{product}/mail-texts', title: /^Own texts$/, asks: '/mail_templates.json' },
  MailText: {
    path: '{product}/mail-texts/receipt',
    title: /^Receipt$/,
    asks: '/mail_templates/receipt.json',
  },
  Plans: { path: '{product}/plans', title: /^Aurora Forms$/, asks: '/plans.json', items: 'plans' },
  ProductSettings: { path: '{product}/settings', title: /^Settings$/, asks: '/products/1.json' },
  Customers: { path: '{product}/customers', title: /^Customers$/, asks: '/users.json', items: 'users' },
  Customer: { path: '{product}/customers/1', title: /^Amara Okafor$/, asks: '/users/1.json' },
  Licenses: { path: '{product}/licenses', title: /^Licenses$/, asks: '/licenses.json', items: 'licenses' },
  License: { path: '{product}/licenses/1', title: /^License #1$/, asks: '/licenses/1.json' },
  Installs: {
    path: '{product}/installs',
    title: /^Installs$/,
    asks: '/installs.json',
    items: 'installs',
  },
  Install: { path: '{product}/installs/1', title: /^https?:/, asks: '/installs/1.json' },
  Webhooks: {
    path: '{product}/webhooks',
    title: /^Webhooks$/,
    asks: '/webhooks.json',
    items: 'webhooks',
  },
  Deliveries: {
    path: '{product}/webhooks/deliveries',
    title: /^Deliveries$/,
    asks: '/deliveries.json',
    items: 'deliveries',
  },
  Webhook: { path: '{product}/webhooks/1', title: /^https:/, asks: '/webhooks/1.json' },
  Coupons: { path: '{product}/coupons', title: /^Coupons$/, asks: '/coupons.json', items: 'coupons' },
  Coupon: { path: '{product}/coupons/1', title: /^[A-Z0-9]+$/, asks: '/coupons/1.json' },
  Carts: { path: '{product}/carts', title: /^Carts$/, asks: '/carts.json', items: 'carts' },
  Cart: { path: '{product}/carts/1', title: /^Cart #1$/, asks: '/carts/1.json' },
  Explain: {
    path: '{product}/explain?license=1',
    title: /^Why was this refused\?$/,
    asks: '/licenses/explain.json',
  },
  Versions: { path: '{product}/versions', title: /^Versions$/, asks: '/tags.json', items: 'tags' },
  Version: { path: '{product}/versions/5', title: /^Version \d/, asks: '/tags/5.json' },
  Payments: { path: '{product}/payments', title: /^Payments$/, asks: '/payments.json', items: 'payments' },
  Payment: { path: '{product}/payments/1', title: /^\$/, asks: '/payments/1.json' },
  Subscriptions: {
    path: '{product}/subscriptions',
    title: /^Subscriptions$/,
    asks: '/subscriptions.json',
    items: 'subscriptions',
  },
  Subscription: {
    path: '{product}/subscriptions/1',
    title: /^Subscription #1$/,
    asks: '/subscriptions/1.json',
  },
  Taxes: { path: 'taxes', title: /^Taxes$/, asks: '/tax_settings.json' },
  BankAccounts: {
    path: 'bank-accounts',
    title: /^Bank accounts$/,
    asks: '/bank_account.json',
    items: 'bank_accounts',
  },
  Stores: { path: 'stores', title: /^Stores$/, asks: '/stores.json', items: 'stores' },
  Store: { path: 'stores/1', title: /^Demo Store$/, asks: '/stores/1.json' },
  Trials: { path: '{product}/trials', title: /^Trials$/, asks: '/trials.json', items: 'trials' },
  Trial: { path: '{product}/trials/1', title: /^Trial #1$/, asks: '/trials/1.json' },
  Disputes: { path: '{product}/disputes', title: /^Disputes$/, asks: '/disputes.json', items: 'disputes' },
  Reviews: { path: '{product}/reviews', title: /^Reviews$/, asks: '/reviews.json', items: 'reviews' },
  Review: { path: '{product}/reviews/1', title: /^Review #1$/, asks: '/reviews/1.json' },
  Events: { path: '{product}/events', title: /^Events$/, asks: '/events.json', items: 'events' },
  Figures: { path: '{product}/figures', title: /^Figures$/, asks: '/figures/activations.json' },
  Sandbox: {
    path: '{product}/sandbox?mode=test',
    title: /^Sandbox clock$/,
    asks: '/sandbox/clock.json',
  },
  Event: { path: '{product}/events/4', title: /^(?!Event$)/, asks: '/events/4.json' },
}

/** Shown to who is not signed in: `sign-in.test.ts` has it. */
export const SIGNED_OUT = ['SignIn', 'Forgotten']
