import type { changeEn } from './change-en.ts'

export const changeDe: typeof changeEn = {
  number: 'Anzahl',
  toCheckout: 'Weiter zur Kasse',
  keepPlan: 'So lassen',
  dueNow: 'Jetzt zu zahlen',
  credit: 'Gutschrift für nicht genutzte Zeit',
  creditDays: 'Gutschrift für {left} von {days} Tagen',
  renewalDiscount: 'Rabatt auf Verlängerungen',
  coupon: 'Gutschein',
  tax: 'Steuer',
  taxRate: 'Steuer ({rate})',
  renewsAt: 'Verlängert sich am {date} für {amount}, {cycle}.',
  renewsTaxed: 'Verlängert sich am {date} für {amount} mit Steuer, {cycle}.',
  renewsNever: 'Einmalige Zahlung. Nichts verlängert sich.',
  newEnd: 'Ihre Lizenz gilt dann bis {date}.',
  creditLeft: '{amount} der Gutschrift bleiben übrig und werden nicht ausgezahlt.',
  taxProvisional: 'Die USt-IdNr. ließ sich nicht prüfen. Die Steuer wird erstattet, sobald sie gefunden ist.',
}
