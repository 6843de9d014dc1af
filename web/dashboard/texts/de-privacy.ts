import type { enPrivacy } from './en-privacy.ts'

/** The words of what is stored of a customer. */
export const dePrivacy: typeof enPrivacy = {
  personData: 'Daten der Person',
  personDataMore: 'Was über alle Ihre Produkte von dieser Kundin oder diesem Kunden gespeichert ist.',
  downloadPerson: 'Daten herunterladen',
  downloadingPerson: 'bisher {count} Einträge',
  downloadedPerson: 'Die Datei hat {count} Einträge.',
  erasePerson: 'Person löschen',
  erasePersonMore:
    'Die Person ist aus allen Ihren Produkten fort, und nichts bringt etwas davon zurück. Lizenzen enden sofort, Abonnements werden gekündigt.',
  erasePersonGoes:
    'Gelöscht werden Name, Adressen, Installationen, Warenkörbe, Mails, Bewertungen, Zahlungsarten und Notizen, und was Ereignisse, Webhooks und das Protokoll sagen.',
  erasePersonStays:
    'Nach dem Gesetz aufbewahrt werden Zahlungen, Rechnungen mit Name und Anschrift darauf, und das Hauptbuch, das auf den Cent stimmt.',
  erasePersonHit:
    'In diesem Produkt, live und Test: Lizenzen {licenses}, Abonnements {subscriptions}, Zahlungen, die bleiben, {payments}.',
  erasePersonOthers: 'Was es in Ihren anderen Produkten ({count}) gibt, endet und geht ebenso.',
  erasePersonType: 'Zur Bestätigung {email} eingeben',
  keepPerson: 'Person behalten',
}
