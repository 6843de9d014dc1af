import type { Texts } from '../templates.ts'

/** Mails to developers about their login. */
export const deLogin = {
  forgotten_password: {
    subject: 'Ihr Link für ein neues Passwort',
    body: [
      'Jemand hat für Ihr Konto ein neues Passwort angefragt. Mit diesem Link wählen Sie es und werden überall abgemeldet.',
      'Wenn Sie das nicht waren, ist nichts zu tun: Ihr Passwort bleibt, wie es ist.',
    ],
    button: 'Neues Passwort wählen',
    end: ['Der Link gilt eine Stunde, ein einziges Mal.'],
  },
  sign_in_link: {
    subject: 'Ihr Link zum Anmelden',
    body: [
      'Jemand hat sich mit Ihrem Passwort in Ihrem Konto anmelden wollen und wurde abgewiesen: Davor gab es zu viele falsche Passwörter, vielleicht von jemand anderem.',
      'Wenn Sie das waren, kommen Sie mit diesem Link hinein. Wenn nicht, kennt jemand Ihr Passwort: Ändern Sie es jetzt.',
    ],
    button: 'Anmelden',
    end: ['Der Link gilt eine Stunde, ein einziges Mal.'],
  },
} satisfies Partial<Texts['mails']>
