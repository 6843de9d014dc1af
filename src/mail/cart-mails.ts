import { Eta } from 'eta'
import type { MailContent } from './message.ts'

const eta = new Eta({ autoTrim: false })

interface CartMailValues {
  /** Empty where it is not known. */
  readonly name: string
  readonly product: string
  /** Back to the checkout. */
  readonly link: string
  readonly unsubscribe: string
  /** Days of the plan's trial; null: it has none. */
  readonly trialDays: number | null
  /** What the link takes off the price, as people read it; null: nothing. */
  readonly discount: string | null
}

interface Template {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const GREETING = `Hello<% if (it.name) { %> <%~ it.name %><% } %>,`

const text = (body: string) => `${GREETING}

${body}

<%~ it.link %>

If you want no more mails like this one: <%~ it.unsubscribe %>
`

const html = (body: string) => `<!doctype html>
<html lang="en"><body style="font-family: sans-serif">
<p>Hello<% if (it.name) { %> <%= it.name %><% } %>,</p>
${body}
<p><a href="<%= it.link %>">Go on with my order</a></p>
<p><small><a href="<%= it.unsubscribe %>">No more mails like this one</a></small></p>
</body></html>
`

const mail =
  ({ subject, text: plain, html: marked }: Template) =>
  (values: CartMailValues): MailContent => ({
    subject: eta.renderString(subject, values),
    text: eta.renderString(text(plain), values),
    html: eta.renderString(html(marked), values),
  })

const TRIAL = `<% if (it.trialDays !== null) { %> You can also try it for <%~ it.trialDays %> days first.<% } %>`
const OFF = `<% if (it.discount !== null) { %> With this link it costs you <%~ it.discount %> less.<% } %>`
const OFF_HTML = OFF.replaceAll('<%~', '<%=')

/** The three mails to who has left a checkout (`spec/behaviour/billing.md` 11). */
export const CART_MAILS = {
  1: mail({
    subject: 'Your order of <%~ it.product %>',
    text: `you have left your order of <%~ it.product %> before it was complete. It is kept for you:`,
    html: `<p>you have left your order of <%= it.product %> before it was complete. It is kept for you.</p>`,
  }),
  2: mail({
    subject: 'Do you still want <%~ it.product %>?',
    text: `your order of <%~ it.product %> still waits for you.${TRIAL}`,
    html: `<p>your order of <%= it.product %> still waits for you.${TRIAL}</p>`,
  }),
  3: mail({
    subject: 'The last mail about your order of <%~ it.product %>',
    text: `this is the last mail about your order of <%~ it.product %>.${OFF}`,
    html: `<p>this is the last mail about your order of <%= it.product %>.${OFF_HTML}</p>`,
  }),
} as const
