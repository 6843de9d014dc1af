import type { Values, Wrong } from './kinds/column.ts'

/** What takes back of a payment, or returns what a dispute took. */
export const TAKES_BACK: ReadonlySet<unknown> = new Set(['refund', 'chargeback', 'disputed', 'won_dispute'])

interface Sums {
  gross: number
  tax: number
}

/**
 * What payments say that was taken back of them, beside the rows that did: a payment that says less could be refunded
 * again.
 */
export class Refunds {
  readonly #said = new Map<number, Sums & { readonly line: number }>()
  readonly #taken = new Map<number, Sums>()

  note(line: number, row: Values): void {
    const { type, bound_payment_id: of } = row
    if (type === 'payment') {
      const [gross, tax] = [Number(row['refunded_gross']), Number(row['refunded_tax'])]
      this.#said.set(Number(row['id']), { line, gross, tax })
    } else if (TAKES_BACK.has(type) && typeof of === 'number') {
      const taken = this.#taken.get(of) ?? { gross: 0, tax: 0 }
      taken.gross -= Number(row['gross'])
      taken.tax -= Number(row['tax'])
      this.#taken.set(of, taken)
    }
  }

  /** Of payments with such rows beside them, those that say less; one may say more, of a refund that is on its way. */
  *faults(): Generator<{ readonly line: number; readonly wrong: Wrong }> {
    for (const [id, { gross, tax }] of this.#taken) {
      const said = this.#said.get(id)
      if (!said || (said.gross >= gross && said.tax >= tax)) continue
      const column = said.gross >= gross ? 'refunded_tax' : 'refunded_gross'
      const sum = column === 'refunded_tax' ? tax : gross
      const message = `must be at least ${sum}, as the rows say that take back of it`
      yield { line: said.line, wrong: { column, reason: 'too_small', message } }
    }
  }
}
