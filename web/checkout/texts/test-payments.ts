interface TestPayment {
  readonly token: string
  readonly en: string
  readonly de: string
}

/** What the test gateway does with each of its tokens (`docs/gateways.md`). */
export const TEST_PAYMENTS: readonly TestPayment[] = [
  { token: 'test_succeeds', en: 'It is paid', de: 'Sie gelingt' },
  { token: 'test_declined', en: 'The card is declined', de: 'Die Karte wird abgelehnt' },
  { token: 'test_insufficient_funds', en: 'There is not enough money', de: 'Es ist nicht genug Geld da' },
  { token: 'test_expired', en: 'The card has expired', de: 'Die Karte ist abgelaufen' },
  {
    token: 'test_needs_confirmation',
    en: 'The bank asks, and is answered',
    de: 'Die Bank fragt nach und erhält Antwort',
  },
  { token: 'test_confirmation_failed', en: 'The bank asks in vain', de: 'Die Bank fragt vergeblich nach' },
  { token: 'test_pending', en: 'The bank takes its time', de: 'Die Bank lässt sich Zeit' },
  { token: 'test_slow', en: 'It is paid after some seconds', de: 'Sie gelingt nach einigen Sekunden' },
  { token: 'test_unreachable', en: 'The gateway does not answer', de: 'Der Zahlungsdienst antwortet nicht' },
  { token: 'test_disputed', en: 'It is paid, then disputed', de: 'Sie gelingt und wird dann angefochten' },
  { token: 'test_dispute_won', en: 'A dispute is won', de: 'Eine Anfechtung wird gewonnen' },
  { token: 'test_dispute_lost', en: 'A dispute is lost', de: 'Eine Anfechtung wird verloren' },
  {
    token: 'test_refund_pending',
    en: 'A refund takes its time',
    de: 'Eine Erstattung lässt auf sich warten',
  },
  { token: 'test_refund_refused', en: 'A refund is refused', de: 'Eine Erstattung wird abgelehnt' },
  { token: 'test_renewal_declined', en: 'Renewals are declined', de: 'Verlängerungen werden abgelehnt' },
  {
    token: 'test_renewal_insufficient_funds',
    en: 'Renewals find not enough money',
    de: 'Verlängerungen finden nicht genug Geld',
  },
  {
    token: 'test_renewal_expired',
    en: 'The card has expired at renewals',
    de: 'Die Karte ist bei Verlängerungen abgelaufen',
  },
  {
    token: 'test_renewal_needs_confirmation',
    en: 'Renewals have to be confirmed',
    de: 'Verlängerungen müssen bestätigt werden',
  },
  {
    token: 'test_renewal_pending',
    en: 'Renewals take their time',
    de: 'Verlängerungen lassen auf sich warten',
  },
  {
    token: 'test_renewal_unreachable',
    en: 'The gateway does not answer at renewals',
    de: 'Der Zahlungsdienst antwortet bei Verlängerungen nicht',
  },
  {
    token: 'test_renewal_attempt_2',
    en: 'Renewals are paid at the second try',
    de: 'Verlängerungen gelingen beim zweiten Versuch',
  },
  {
    token: 'test_renewal_attempt_3',
    en: 'Renewals are paid at the third try',
    de: 'Verlängerungen gelingen beim dritten Versuch',
  },
  {
    token: 'test_renewal_attempt_4',
    en: 'Renewals are paid at the fourth try',
    de: 'Verlängerungen gelingen beim vierten Versuch',
  },
]
