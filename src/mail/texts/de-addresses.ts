import type { Texts } from '../templates.ts'

const UNEXPECTED = 'Wenn Sie diese Mail nicht erwartet haben, tun Sie einfach nichts.'

/** Mails by which an address is proven or changed, in German. */
export const deAddresses: Pick<
  Texts['mails'],
  'confirm_email' | 'confirm_email_change' | 'confirm_own_email' | 'email_changed' | 'own_email_changed'
> = {
  confirm_email: {
    subject: 'Bestätigen Sie Ihre Adresse für <%= it.product %>',
    body: ['Bitte bestätigen Sie, dass dies Ihre Adresse für <%= it.product %> ist.'],
    button: 'Adresse bestätigen',
    end: [`Der Link gilt 24 Stunden. ${UNEXPECTED}`],
  },
  confirm_email_change: {
    subject: 'Soll sich Ihre Adresse für <%= it.product %> ändern?',
    body: [
      'Jemand bittet darum, dass Ihr Konto für <%= it.product %> die Adresse <%= it.to %> hat und Mail dorthin geht. Sie ändert sich, wenn dem Link unten gefolgt wird und auch dem, der an jene Adresse ging.',
    ],
    button: 'Ansehen und zustimmen',
    end: [
      'Der Link gilt 24 Stunden. Waren das nicht Sie, folgen Sie ihm nicht, dann ändert sich nichts; wer darum bat, war aber als Sie angemeldet, schreiben Sie also dem Verkäufer.',
    ],
  },
  confirm_own_email: {
    subject: 'Bestätigen Sie Ihre Adresse bei <%= it.server %>',
    body: ['Bitte bestätigen Sie, dass dies die Adresse Ihres Kontos bei <%= it.server %> ist.'],
    button: 'Adresse bestätigen',
    end: [`Der Link gilt 24 Stunden. ${UNEXPECTED}`],
  },
  email_changed: {
    subject: 'Ihre Adresse für <%= it.product %> wurde geändert',
    body: [
      'Ihr Konto für <%= it.product %> hat jetzt die Adresse <%= it.to %>, und Mail geht dorthin.',
      'Wenn Sie das nicht wollten, schreiben Sie sofort an den Verkäufer.',
    ],
  },
  own_email_changed: {
    subject: 'Ihre Adresse bei <%= it.server %> wurde geändert',
    body: [
      'Ihr Konto bei <%= it.server %> hat jetzt die Adresse <%= it.to %>. Melden Sie sich damit an.',
      'Wenn Sie das nicht wollten, schreiben Sie sofort an den Betreiber des Servers.',
    ],
  },
}
