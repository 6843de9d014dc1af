import type { MailText, Texts } from '../templates.ts'
import { enAddresses } from './en-addresses.ts'
import { enLogin } from './en-login.ts'

const CART_TRIAL = `<% if (it.trialDays !== null) { %> You can also try it for <%= it.trialDays %> days first.<% } %>`
const CART_OFF = `<% if (it.discount !== null) { %> With this link it costs you <%= it.discount %> less.<% } %>`
const UNEXPECTED = 'If you did not expect this mail, ignore it.'
const OWNERSHIP_END = 'The link works for 24 hours. Nothing changes until both of you have agreed.'
const SHOWN = `<% if (it.keys.some(({ key }) => key !== '')) { %>`
const KEEP = `${SHOWN}Keep this mail: whoever has a key can use what it opens.<% } %>`
const FAILED =
  'The payment of <%= it.amount %> for <%= it.product %> (<%= it.plan %>) failed: <%= it.reason %>'

const keys: MailText['keys'] = [
  '<%= it.one.key %>',
  `<%= it.one.plan %>, <% if (it.one.isCancelled) { %>cancelled<% } else if (it.one.ends === null) { %>never ends<% } else { %>ends on <%= it.one.ends %> UTC<% } %>`,
]

const links = {
  download: `<% if (it.one.product) { %>Download <%= it.one.product %><% } else { %>Download<% } %>`,
  portal: 'Your account, with licenses, payments and invoices',
}

const CANCEL = 'Cancel, or see what you have'

const INVOICE = '<% if (it.invoice) { %>Invoice <%= it.invoice %> is attached.<% } %>'

const paid: MailText['rows'] = [
  ['Product', '<%= it.product %>, <%= it.plan %>'],
  ['Licenses', '<%= it.licenses %>'],
  ['Invoice', '<%= it.invoice %>'],
  ['Date', '<%= it.date %> UTC'],
  ['Without tax', '<%= it.net %>'],
  ['Tax', '<%= it.tax %>'],
  ['Total', '<%= it.amount %>'],
  ['Paid by', '<%= it.method %>'],
]

/** English, to which every other language falls back. */
export const en: Texts = {
  language: 'en',
  greeting: 'Hello<% if (it.name) { %> <%= it.name %><% } %>,',
  unsubscribe: 'No more mails like this one',
  mails: {
    ...enAddresses,
    ...enLogin,
    'cart_recovery.1': {
      subject: 'Your order of <%= it.product %>',
      body: ['You have left your order of <%= it.product %> before it was complete. It is kept for you.'],
      button: 'Go on with my order',
    },
    'cart_recovery.2': {
      subject: 'Do you still want <%= it.product %>?',
      body: [`Your order of <%= it.product %> still waits for you.${CART_TRIAL}`],
      button: 'Go on with my order',
    },
    'cart_recovery.3': {
      subject: 'The last mail about your order of <%= it.product %>',
      body: [`This is the last mail about your order of <%= it.product %>.${CART_OFF}`],
      button: 'Go on with my order',
    },
    license: {
      subject: 'Your license for <%= it.product %>',
      body: [`Welcome! This is your license ${SHOWN}key <% } %>for <%= it.product %>.`],
      keys,
      ...links,
      end: [KEEP],
    },
    license_cancelled: {
      subject: 'Your license for <%= it.product %> was cancelled',
      body: [
        'Your license for <%= it.product %> (<%= it.plan %>) was cancelled. What it gives you has ended, and nothing is charged for it any more.',
      ],
    },
    license_expired: {
      subject: 'Your license for <%= it.product %> has ended',
      body: [
        'Your license for <%= it.product %> (<%= it.plan %>) ended on <%= it.ends %> UTC.',
        '<% if (it.link) { %>You can still renew it.<% } %>',
      ],
      button: 'Renew my license',
    },
    license_expiring: {
      subject: 'Your license for <%= it.product %> ends soon',
      body: [
        'Your license for <%= it.product %> (<%= it.plan %>) ends on <%= it.ends %> UTC.',
        '<% if (it.link) { %>Renew it before then to keep what it gives you.<% } %>',
      ],
      button: 'Renew my license',
    },
    license_keys: {
      subject: `Your ${SHOWN}license keys<% } else { %>licenses<% } %> for <%= it.product %>`,
      body: [`These are your ${SHOWN}license keys<% } else { %>licenses<% } %> for <%= it.product %>.`],
      keys,
      ...links,
      end: [KEEP],
    },
    member_invitation: {
      subject: '<%= it.account %> has invited you',
      body: ['<%= it.account %> invites you to join the team.'],
      rows: [
        ['Store', '<%= it.store %>'],
        ['Account id', '<%= it.accountId %>'],
        ['Server', '<%= it.server %>'],
      ],
      button: 'Join the team',
      end: [
        'Join first: the page behind the link has a button, and asks for a password if you have none on this server. A tool sends POST to the link, with the new password as "password".',
        'Then log in with the address that this mail went to and your password: POST <%= it.server %>/v1/developers/<%= it.accountId %>/login.json, with "email" and "password" as JSON.',
        `The link works for 7 days. ${UNEXPECTED}`,
      ],
    },
    new_sign_in: {
      subject: 'Somebody has logged in to your account',
      body: [
        'Somebody has logged in to your account from an address that was not used before.',
        'If it was you, there is nothing to do. If it was not, change your password now: that ends every other session.',
      ],
      rows: [
        ['When', '<%= it.at %> UTC'],
        ['Address', '<%= it.address %>'],
      ],
    },
    'ownership_change.candidate': {
      subject: 'Change of ownership: <%= it.product %>',
      body: [
        'Somebody wants to give you installs of <%= it.product %>, with the licenses that are active there alone. What runs there will then act for you in this product. The page behind the link says which ones, and who gives them.',
      ],
      button: 'Look at it, and agree',
      end: [`${OWNERSHIP_END} ${UNEXPECTED}`],
    },
    'ownership_change.owner': {
      subject: 'Change of ownership: <%= it.product %>',
      body: [
        'Somebody asks to give installs of <%= it.product %> that are yours to another owner, with the licenses that are active there alone. The page behind the link says which ones, and who gets them.',
      ],
      button: 'Look at it, and agree',
      end: [`${OWNERSHIP_END} If you do not want this, ignore this mail.`],
    },
    pending_activation: {
      subject: 'Confirm that you use <%= it.product %>',
      body: [
        '<%= it.product %> asks, where it runs, to be connected with your address. The page behind the link says where that is.',
      ],
      button: 'Connect it',
      end: [
        'The link works for 24 hours. Whoever runs it there can then use your account for <%= it.product %>.',
        UNEXPECTED,
      ],
    },
    contact: {
      subject: 'Somebody writes about <%= it.product %>',
      body: ['<%= it.message %>'],
      rows: [
        ['From', '<%= it.from %>'],
        ['Topic', '<%= it.topic %>'],
        ['Where it runs', '<%= it.site %>'],
        ['Proven to be install', '<%= it.install %>'],
      ],
      end: ['An answer to this mail goes to the address that was typed; nobody has proven to have it.'],
    },
    portal_link: {
      subject: 'Your link to <%= it.product %>',
      body: ['This link opens your account for <%= it.product %>: your licenses, payments and invoices.'],
      button: 'Open my account',
      end: [`It works for <%= it.minutes %> minutes. ${UNEXPECTED}`],
    },
    invoice: {
      subject:
        'Your <% if (it.isCreditNote) { %>credit note<% } else { %>invoice<% } %> <%= it.number %> for <%= it.product %>',
      body: [
        'The <% if (it.isCreditNote) { %>credit note<% } else { %>invoice<% } %> <%= it.number %> that you asked for is attached.',
      ],
    },
    receipt: {
      subject: 'Your receipt for <%= it.product %>',
      body: ['Thank you for your payment of <%= it.amount %>.'],
      rows: paid,
      end: [INVOICE, '<% if (it.waiver) { %>You agreed to this as you paid: “<%= it.waiver %>”<% } %>'],
    },
    renewal_cancelled: {
      subject: 'Your subscription to <%= it.product %> was cancelled',
      body: [
        `The payment of <%= it.amount %> for <%= it.product %> (<%= it.plan %>) failed again: <%= it.reason %>`,
        'It is not tried any more. Your subscription and your license were cancelled; you can buy it again at any time.',
      ],
    },
    'renewal_failed.1': {
      subject: 'Your payment for <%= it.product %> failed',
      body: [
        FAILED,
        'It is tried again on <%= it.again %> UTC. Please see that your method of payment works by then.',
      ],
      button: 'Update my method of payment',
    },
    'renewal_failed.2': {
      subject: 'Your payment for <%= it.product %> failed again',
      body: [
        FAILED,
        'It is tried again on <%= it.again %> UTC. Please see that your method of payment works by then.',
      ],
      button: 'Update my method of payment',
    },
    'renewal_failed.3': {
      subject: 'Your license for <%= it.product %> is about to end',
      body: [
        FAILED,
        'It is tried for the last time on <%= it.again %> UTC. If it fails then too, your subscription and your license are cancelled.',
      ],
      button: 'Update my method of payment',
    },
    renewal_reminder: {
      subject: 'Your license for <%= it.product %> renews soon',
      body: [
        'Your license for <%= it.product %> (<%= it.plan %>) renews on <%= it.on %> UTC for <%= it.amount %><% if (it.isTaxed) { %> plus tax<% } %>.',
        'You need not do anything. If you do not want that, cancel its subscription before then.',
      ],
      portal: CANCEL,
    },
    renewed: {
      subject: 'Your license for <%= it.product %> was renewed',
      body: [
        'Your license for <%= it.product %> (<%= it.plan %>) was renewed for <%= it.amount %>.',
        'It is paid until <%= it.until %> UTC.',
      ],
      rows: paid,
      end: [INVOICE],
    },
    subscription_cancelled: {
      subject: 'Your subscription to <%= it.product %> was cancelled',
      body: [
        'Your subscription to <%= it.product %> (<%= it.plan %>) was cancelled. Nothing is charged for it any more.',
        '<% if (it.until) { %>Your license works until <%= it.until %> UTC.<% } %>',
      ],
    },
    subscription_resumed: {
      subject: 'Your subscription to <%= it.product %> goes on',
      body: [
        'Your subscription to <%= it.product %> (<%= it.plan %>) was cancelled and goes on after all. It is paid next on <%= it.on %> UTC.',
      ],
    },
    trial_converted: {
      subject: 'Your trial of <%= it.product %> is over, and your license has begun',
      body: [
        'Your trial of <%= it.product %> (<%= it.plan %>) is over. <%= it.amount %> was paid, and your license goes on.',
        '<% if (it.until) { %>It is paid until <%= it.until %> UTC.<% } else { %>It never ends.<% } %>',
      ],
      rows: paid,
      end: [INVOICE],
    },
    trial_expiring: {
      subject: 'Your trial of <%= it.product %> ends soon',
      body: [
        'Your trial of <%= it.product %> (<%= it.plan %>) ends on <%= it.ends %> UTC.',
        '<% if (it.amount) { %>Then <%= it.amount %> is charged, with tax where there is any, and your license goes on. If you do not want it, cancel it before then.<% } else if (it.link) { %>If you want to go on with it, buy a license.<% } %>',
      ],
      button: 'Buy a license',
      portal: CANCEL,
    },
    webhook_off: {
      subject: 'A webhook of <%= it.product %> was switched off',
      body: [
        '<%= it.url %> is told of no more events of <%= it.product %>: <% if (it.isGone) { %>it has answered that it is gone.<% } else { %>it has failed more than 100 times in a row, for at least a day.<% } %>',
        'What happens is kept. Once the address answers again, switch the webhook on and have the events sent again that it has missed.',
      ],
    },
  },
}
