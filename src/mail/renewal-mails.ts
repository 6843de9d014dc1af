import { mail } from './notice-mails.ts'

interface RenewalValues {
  readonly name: string
  readonly product: string
  readonly plan: string
  /** With its currency, `12.34 EUR`. */
  readonly amount: string
}

/** The mail of a renewal that was paid. */
export const renewedMail = mail<RenewalValues & { readonly until: string }>({
  subject: 'Your license for <%~ it.product %> was renewed',
  text: `your license for <%~ it.product %> (<%~ it.plan %>) was renewed for <%~ it.amount %>.
It is paid until <%~ it.until %> UTC.`,
  html: `<p>your license for <%= it.product %> (<%= it.plan %>) was renewed for <%= it.amount %>.
It is paid until <%= it.until %> UTC.</p>`,
})

/** The mail of an attempt that failed, after which there is another. */
export const renewalFailedMail = mail<RenewalValues & { readonly reason: string; readonly again: string }>({
  subject: 'Your payment for <%~ it.product %> failed',
  text: `the payment of <%~ it.amount %> for <%~ it.product %> (<%~ it.plan %>) failed: <%~ it.reason %>
It is tried again on <%~ it.again %> UTC. Please see that your method of payment works by then.`,
  html: `<p>the payment of <%= it.amount %> for <%= it.product %> (<%= it.plan %>) failed: <%= it.reason %></p>
<p>It is tried again on <%= it.again %> UTC. Please see that your method of payment works by then.</p>`,
})

/** The mail of the last attempt. */
export const renewalCancelledMail = mail<RenewalValues & { readonly reason: string }>({
  subject: 'Your subscription to <%~ it.product %> was cancelled',
  text: `the payment of <%~ it.amount %> for <%~ it.product %> (<%~ it.plan %>) failed again: <%~ it.reason %>
It is not tried any more. Your subscription and your license were cancelled; you can buy it again at any time.`,
  html: `<p>the payment of <%= it.amount %> for <%= it.product %> (<%= it.plan %>) failed again: <%= it.reason %></p>
<p>It is not tried any more. Your subscription and your license were cancelled; you can buy it again at any
time.</p>`,
})
