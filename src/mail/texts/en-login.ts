import type { Texts } from '../templates.ts'

/** Mails to developers about their login. */
export const enLogin = {
  forgotten_password: {
    subject: 'Your link for a new password',
    body: [
      'Somebody asked for a new password for your account. By this link you choose it, and are logged out everywhere.',
      'If it was not you, there is nothing to do: your password stays as it is.',
    ],
    button: 'Choose a new password',
    end: ['The link works for an hour, once.'],
  },
  sign_in_link: {
    subject: 'Your link to log in',
    body: [
      'Somebody has logged in to your account with your password, and was refused: there were too many wrong passwords before, perhaps of somebody else.',
      'If it was you, this link lets you in. If it was not, somebody knows your password: change it now.',
    ],
    button: 'Log in',
    end: ['The link works for an hour, once.'],
  },
} satisfies Partial<Texts['mails']>
