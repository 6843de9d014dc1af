import type { enData } from './en-data.ts'

/** The words of what is stored of a person. */
export const deData: typeof enData = {
  myData: 'Ihre Daten',
  myDataMore:
    'Alles, was über Sie gespeichert ist, aus allen Produkten des Anbieters, als eine Datei, die Programme lesen können.',
  download: 'Meine Daten herunterladen',
  downloading: 'bisher {count} Einträge',
  downloaded: 'Die Datei hat {count} Einträge.',
  eraseMe: 'Mich löschen',
  eraseMore: 'Alles über Sie wird gelöscht, und nichts bringt es zurück.',
  eraseEnds:
    'Ihre Lizenzen enden sofort, Abonnements werden gekündigt, und wo eine Lizenz aktiv ist, gilt sie nicht mehr.',
  eraseGoes:
    'Gelöscht werden Ihr Name, Ihre Adressen und Ihr Profil, Schlüssel, Installationen, Warenkörbe, Mails, Bewertungen, Ihre Zahlungsarten und was über Sie notiert ist.',
  eraseStays:
    'Nach dem Gesetz aufbewahrt werden Zahlungen und ihre Rechnungen, mit dem Namen und der Anschrift darauf. Für anderes werden sie nicht verwendet.',
  eraseType: 'Zur Bestätigung Ihre Adresse {email} eingeben',
  eraseKeep: 'Konto behalten',
  erasedTitle: 'Ihre Daten sind gelöscht',
  erasedMore: 'Sie sind abgemeldet. Was noch da ist, wird in den nächsten Stunden gelöscht.',
}
