/** A mutant that changes nothing that anybody could see, told by its line before and after. */
interface Equivalent {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly reason: string
}

/** Those that were looked at: each changes the text of a rule and not the rule. */
export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'src/licensing/installs/downgrade-install.ts',
    before: "ids: parseNumberList(String(ids ?? '')) ?? [],",
    after: "ids: parseNumberList(String(ids ?? '')),",
    reason: 'The schema of the request takes nothing else than such a list; the rest is for the type.',
  },
  {
    file: 'src/gateways/stripe/charges.ts',
    before: 'const { data } = await answered(stripe.disputes.list({ payment_intent: intent.id, limit: 1 }))',
    after: 'const { data } = await answered(stripe.disputes.list({ payment_intent: intent.id, limit: 2 }))',
    reason: 'The first of the list is looked at, however many there are.',
  },
  {
    file: 'src/sales/invoices/drawing/pdf.ts',
    before: "method ?? '',",
    after: 'method,',
    reason: 'The texts are joined, which takes null as no text; the rest is for the type.',
  },
]
