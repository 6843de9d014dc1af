import type { PortalSession } from '../../../src/people/portal/portal-session-schema.ts'

/** What customers do in the portal that can be switched off. */
export type PortalPart = PortalSession['off'][number]

/** What customers do by a part of the portal, and what they cannot do where it is off. */
type Words = Readonly<Record<PortalPart, readonly [does: string, off: string]>>

const parts: Words = {
  keys: ['See and copy license keys', 'Off: they find a key in the mail about the purchase alone.'],
  rotate_key: ['Replace a license key', 'Off: a key that has leaked goes on until you replace it.'],
  deactivate: [
    'Deactivate it in one place',
    'Off: only you, or the product itself, deactivate a license there.',
  ],
  deactivate_all: ['Deactivate it everywhere at once', 'Off: each place has to be deactivated by itself.'],
  allow_list: [
    'Say which addresses a license may be used at',
    'Off: they neither see nor change these addresses.',
  ],
  offline_file: ['Make a file for a machine without a network', 'Off: you make it, and send it to them.'],
  downloads: ['Download versions', 'Off: they get versions as updates, or from you.'],
  earlier_versions: [
    'Download earlier versions',
    'Off: the newest one alone is there, and nobody can go back.',
  ],
  invoices: [
    'Download invoices and credit notes',
    'Off: they see what was paid, and ask you for the document.',
  ],
  plan_change: ['Change plan or number, and renew', 'Off: they buy anew, or ask you.'],
  payment_method: [
    'Change the payment method, and pay what is owed',
    'Off: a failed payment is made up for by the link in the mail alone.',
  ],
  cancel: ['Cancel a subscription', 'Off: they are told to write to your support address.'],
  resume: ['Resume a subscription that was cancelled', 'Off: what was cancelled ends, and is bought anew.'],
  trials: ['See their trials', 'Off: they do not see when a trial ends.'],
  billing_details: ['Change the billing address', 'Off: invoices have what was said at the checkout.'],
  profile: ['Change name and email address', 'Off: they are told to write to your support address.'],
  export: ['Download what is stored of them', 'Off: they are told to write to your support address.'],
  erase: ['Have themselves erased', 'Off: they are told to write to your support address.'],
}

/** Words of what is said of the portal of a product. */
export const enPortal = {
  title: 'Customer portal',
  about: 'Where customers manage what they bought.',
  look: 'Look at the portal',
  may: 'What customers may do',
  mayMore:
    'What is off is neither shown nor taken there; your own calls and the client libraries go on. Cancelling, profile, data and erasure can be off only while there is a support address.',
  ofPerson: 'It is off once every product has it off that the customer has of you.',
  parts,
  words: 'Words in the portal',
  wordsMore: 'Colour, picture and support address are those of the checkout, under “Pages and links”.',
  greeting: 'Greeting, in English',
  greetingDe: 'Greeting, in German',
  helpLine: 'Where to get help, in English',
  helpLineDe: 'Where to get help, in German',
  otherLanguage: 'Empty: that of the other language.',
  preview: 'Preview',
  light: 'Light',
  dark: 'Dark',
  sampleTitle: 'Your purchases',
  sampleAct: 'Mail me a link',
  sampleWrite: 'Write to {email}',
  notReadable: 'This colour does not stand out in light and dark. The portal takes ours.',
  frame: 'Pages that may hold the portal',
  frameMore:
    'Hosts of yours whose pages may show the portal in a frame. Customers sign in there by a link that your server makes.',
  hosts: 'Hosts',
  hostsHelp: 'One a line, in lower case. Empty: none.',
}

export type PortalTexts = typeof enPortal
