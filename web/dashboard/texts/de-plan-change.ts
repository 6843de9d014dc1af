import type { PlanChangeTexts } from './en-plan-change.ts'

/** Ein anderer Tarif für eine Lizenz. */
export const dePlanChange: PlanChangeTexts = {
  change: 'Tarif ändern',
  title: 'Tarif der Lizenz #{id} ändern',
  to: 'Tarif und Zahl der {units}',
  keepsSites: '{plan}, {units} wie jetzt',
  preview: 'Was sich ändert',
  plan: 'Tarif: {from} → {to}',
  samePlan: 'Tarif: {to}, wie jetzt',
  sites: '{from} → {to}',
  sameSites: '{to}, wie jetzt',
  over: 'Sie ist auf {count} {units} zu viel aktiv. Dort läuft es weiter; bis es weniger sind, wird keine weitere aktiviert.',
  feature: '{feature}: {from} → {to}',
  given: 'enthalten',
  notGiven: 'nicht enthalten',
  sameFeatures: 'Funktionen: dieselben',
  ends: 'Endet wie jetzt: {time}',
  neverEnds: 'Endet nie, wie jetzt',
  renews:
    'Das Abonnement bleibt: {amount} ohne Steuer bei der nächsten Verlängerung am {time}, wie vereinbart.',
  priceNow: 'Wer diesen Tarif jetzt kauft, zahlt {amount}.',
  byHand: 'Nichts verlängert sie von selbst. Ihr Besitzer verlängert sie zum Preis des Tarifs.',
  noOther: 'Es gibt keinen anderen Tarif oder Preis.',
}
