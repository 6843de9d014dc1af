import type { PortalTexts } from './en-portal.ts'

export const dePortal: PortalTexts = {
  title: 'Kundenportal',
  about: 'Dort verwalten Kunden, was sie gekauft haben.',
  look: 'Portal ansehen',
  may: 'Was Kunden dürfen',
  mayMore:
    'Was aus ist, wird dort weder gezeigt noch angenommen; Ihre eigenen Aufrufe und die Client-Bibliotheken laufen weiter. Kündigen, Profil, Daten und Löschen lassen sich nur abschalten, solange es eine Support-Adresse gibt.',
  ofPerson: 'Es ist aus, sobald jedes Produkt es aus hat, das der Kunde von Ihnen hat.',
  parts: {
    keys: ['Lizenzschlüssel sehen und kopieren', 'Aus: Ein Schlüssel steht allein in der Mail zum Kauf.'],
    rotate_key: [
      'Lizenzschlüssel ersetzen',
      'Aus: Ein verratener Schlüssel gilt weiter, bis Sie ihn ersetzen.',
    ],
    deactivate: [
      'Sie an einem Ort deaktivieren',
      'Aus: Nur Sie oder das Produkt selbst deaktivieren eine Lizenz dort.',
    ],
    deactivate_all: ['Sie überall auf einmal deaktivieren', 'Aus: Jeder Ort wird einzeln deaktiviert.'],
    allow_list: [
      'Sagen, an welchen Adressen eine Lizenz gilt',
      'Aus: Kunden sehen und ändern diese Adressen nicht.',
    ],
    offline_file: [
      'Eine Datei für einen Rechner ohne Netz erzeugen',
      'Aus: Sie erzeugen die Datei und senden sie.',
    ],
    downloads: ['Versionen herunterladen', 'Aus: Versionen kommen als Updates oder von Ihnen.'],
    earlier_versions: [
      'Frühere Versionen herunterladen',
      'Aus: Nur die neueste ist da; niemand kann zurück.',
    ],
    invoices: [
      'Rechnungen und Gutschriften herunterladen',
      'Aus: Kunden sehen, was bezahlt wurde, und bitten Sie um den Beleg.',
    ],
    plan_change: ['Tarif oder Anzahl ändern und verlängern', 'Aus: Kunden kaufen neu oder fragen Sie.'],
    payment_method: [
      'Zahlungsart ändern und Offenes bezahlen',
      'Aus: Eine gescheiterte Zahlung wird allein über den Link in der Mail nachgeholt.',
    ],
    cancel: ['Abonnement kündigen', 'Aus: Kunden werden an Ihre Support-Adresse verwiesen.'],
    resume: ['Gekündigtes Abonnement fortsetzen', 'Aus: Was gekündigt wurde, endet und wird neu gekauft.'],
    trials: ['Testphasen sehen', 'Aus: Kunden sehen nicht, wann eine Testphase endet.'],
    billing_details: [
      'Rechnungsadresse ändern',
      'Aus: Auf Rechnungen steht, was an der Kasse angegeben wurde.',
    ],
    profile: ['Name und E-Mail-Adresse ändern', 'Aus: Kunden werden an Ihre Support-Adresse verwiesen.'],
    export: ['Gespeicherte Daten herunterladen', 'Aus: Kunden werden an Ihre Support-Adresse verwiesen.'],
    erase: ['Sich löschen lassen', 'Aus: Kunden werden an Ihre Support-Adresse verwiesen.'],
  },
  words: 'Worte im Portal',
  wordsMore: 'Farbe, Bild und Support-Adresse sind die der Kasse, unter „Seiten und Links“.',
  greeting: 'Begrüßung auf Englisch',
  greetingDe: 'Begrüßung auf Deutsch',
  helpLine: 'Wo es Hilfe gibt, auf Englisch',
  helpLineDe: 'Wo es Hilfe gibt, auf Deutsch',
  otherLanguage: 'Leer: die der anderen Sprache.',
  preview: 'Vorschau',
  light: 'Hell',
  dark: 'Dunkel',
  sampleTitle: 'Ihre Käufe',
  sampleAct: 'Link schicken',
  sampleWrite: 'An {email} schreiben',
  notReadable: 'Diese Farbe hebt sich hell und dunkel nicht genug ab. Das Portal nimmt unsere.',
  frame: 'Seiten, die das Portal einbetten dürfen',
  frameMore:
    'Ihre Hosts, deren Seiten das Portal in einem Rahmen zeigen dürfen. Kunden kommen dort über einen Link hinein, den Ihr Server erzeugt.',
  hosts: 'Hosts',
  hostsHelp: 'Je Zeile einer, klein geschrieben. Leer: keiner.',
}
