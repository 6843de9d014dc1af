import type { Money } from '../lib/money.ts'
import type { Moment, Share } from '../lib/words.ts'

/** A license of a product and how it stands. */
interface PlanValues {
  /** The plan's title. */
  readonly plan: string
}

interface EndValues extends PlanValues {
  readonly ends: Moment
}

export interface MailedKey extends PlanValues {
  /** Empty: the product shows no keys. */
  readonly key: string
  /** Null: never. */
  readonly ends: Moment | null
  readonly isCancelled: boolean
}

interface MailedDownload {
  readonly link: string
  /** Empty: what the mail is about. */
  readonly product: string
}

interface KeysValues {
  readonly keys: readonly MailedKey[]
  /** Where the product is downloaded, or each of a bundle by its title. */
  readonly downloads: readonly MailedDownload[]
  /** Where the person enters the portal; empty: the product wants no such link. */
  readonly portal: string
}

interface AmountValues extends PlanValues {
  readonly amount: Money
}

interface EndsValues extends EndValues {
  /** Where it is bought or renewed by hand; empty: nothing is sold that does so. */
  readonly link: string
}

interface CancelValues {
  /** Where the person cancels what is charged soon; empty: there is nothing, or the product wants no such link. */
  readonly portal: string
}

interface FailedValues extends AmountValues {
  /** Where another method of payment is given; empty: there is nothing to pay for any more. */
  readonly link: string
  /** What the bank says, with a full stop. */
  readonly reason: string
  readonly again: Moment
}

interface CartValues {
  /** Back to the checkout. */
  readonly link: string
  /** Days of the plan's trial; null: it has none. */
  readonly trialDays: number | null
  /** What the link takes off the price; null: nothing. */
  readonly discount: Money | Share | null
}

/** What a payment was made of; empty where there is none. */
export interface ReceiptValues extends AmountValues {
  readonly invoice: string
  readonly date: Moment
  readonly licenses: string
  readonly net: Money | ''
  readonly tax: Money | ''
  /** How it was paid, `visa •••• 4242`. */
  readonly method: string
}

interface LinkValues {
  readonly link: string
}

/**
 * Every mail there is, with what its text is filled with beside the name of who gets it and the title of the product.
 * What stands before a dot is the `kind` of its row.
 */
export interface Templates {
  readonly 'cart_recovery.1': CartValues
  readonly 'cart_recovery.2': CartValues
  readonly 'cart_recovery.3': CartValues
  readonly confirm_email: LinkValues
  /** A user asks for the address `to`: to the one that it has. */
  readonly confirm_email_change: LinkValues & { readonly to: string }
  /** Another address of somebody who logs in to this server, of the host `server`. */
  readonly confirm_own_email: LinkValues & { readonly server: string }
  /** What somebody wrote to the support of a product; `install`: the id of the one that proved to be written from. */
  readonly contact: {
    readonly from: string
    readonly topic: string
    readonly site: string
    readonly install: string
    readonly message: string
  }
  /** A user has another address: told to the one that it had. */
  readonly email_changed: { readonly to: string }
  /** The invoice of a payment, or the credit note of what takes one back, to who asked for it; `number`: of it. */
  readonly invoice: { readonly number: string; readonly isCreditNote: boolean }
  /** The key of a license that somebody was given or has bought. */
  readonly license: KeysValues
  readonly license_cancelled: PlanValues
  /** The day after a license has ended. */
  readonly license_expired: EndsValues
  /** Before a license ends that nothing renews. */
  readonly license_expiring: EndsValues
  /** All keys of a person, who has asked for them. */
  readonly license_keys: KeysValues
  readonly own_email_changed: { readonly server: string; readonly to: string }
  /**
   * `store`: of the account; empty: it has none, or one whose title is no name. `server`: its address, without path.
   */
  readonly member_invitation: LinkValues & {
    readonly account: string
    readonly accountId: string
    readonly store: string
    readonly server: string
  }
  readonly new_sign_in: { readonly at: Moment; readonly address: string }
  readonly 'ownership_change.candidate': LinkValues
  readonly 'ownership_change.owner': LinkValues
  /** Somebody is asked whether a site may be connected with their address (`docs/decisions.md` 3.1 and 3.14). */
  readonly pending_activation: LinkValues
  readonly portal_link: LinkValues & { readonly minutes: number }
  /** `waiver`: what a consumer of the EU agreed to as it was paid, which the law wants to be confirmed; empty: nothing. */
  readonly receipt: ReceiptValues & { readonly waiver: string }
  /** The last attempt at a renewal failed. */
  readonly renewal_cancelled: Omit<FailedValues, 'again' | 'link'>
  readonly 'renewal_failed.1': FailedValues
  readonly 'renewal_failed.2': FailedValues
  readonly 'renewal_failed.3': FailedValues
  /** Before a yearly renewal. */
  readonly renewal_reminder: AmountValues & CancelValues & { readonly on: Moment; readonly isTaxed: boolean }
  readonly renewed: ReceiptValues & { readonly until: Moment | '' }
  /** To who has the right password, while a limit refuses its login. */
  readonly sign_in_link: LinkValues
  /** To who asked for another password at the login. */
  readonly forgotten_password: LinkValues
  /** `until`: what is paid lasts so long; empty: for good. */
  readonly subscription_cancelled: PlanValues & { readonly until: Moment | '' }
  /** `on`: when it is paid next. */
  readonly subscription_resumed: PlanValues & { readonly on: Moment }
  readonly trial_converted: ReceiptValues & { readonly until: Moment | '' }
  /**
   * `amount`: what is charged then, without tax; empty: nothing. `link`: where its plan is bought; empty where it is
   * paid then, or not sold.
   */
  readonly trial_expiring: EndsValues & CancelValues & { readonly amount: Money | '' }
  /** A listener was switched off: it has said that it is gone, or it failed too long. */
  readonly webhook_off: { readonly url: string; readonly isGone: boolean }
}

export type Template = keyof Templates

/** A mail's text in one language; each part is a template of eta, whose values are escaped where it is HTML. */
export interface MailText {
  readonly subject: string
  readonly body: readonly string[]
  /** One entry for each of `keys`: what is copied, and a line about it. */
  readonly keys?: readonly [key: string, about: string]
  /** Labels and values; a row without value is left out. */
  readonly rows?: readonly (readonly [label: string, value: string])[]
  /** Label of `link`, which is left out where it is empty. */
  readonly button?: string
  /** Label of each of `downloads`. */
  readonly download?: string
  /** Label of `portal`, which is left out where it is empty. */
  readonly portal?: string
  /** After all that. */
  readonly end?: readonly string[]
}

/** All texts of one language. */
export interface Texts {
  /** Its tag, `en`. */
  readonly language: string
  readonly greeting: string
  /** Of a mail that ends with a link after which no more like it come. */
  readonly unsubscribe: string
  readonly mails: Readonly<Record<Template, MailText>>
}
